import { defined, isRecord } from '@attractor/base';
import { familyNameOf, ownNameOf } from '@attractor/tool-table';
import type { HookInput, HookWire } from './definition.ts';
import type { HookEventName } from './events.ts';

type Fields = Readonly<Record<string, unknown>>;

/** `names`: our event by theirs. `told`: our input in their fields. `said`: their answer in ours. */
type Wire = {
  readonly names: Readonly<Record<string, HookEventName>>;
  readonly told: (theirs: string, input: HookInput) => HookInput;
  readonly said: (answer: Fields, event: HookEventName, input: HookInput) => Fields;
};

export const WIRES: Readonly<Record<HookWire, Wire>> = {
  gemini: {
    names: {
      BeforeTool: 'PreToolUse',
      AfterTool: 'PostToolUse',
      BeforeAgent: 'UserPromptSubmit',
      AfterAgent: 'Stop',
      PreCompress: 'PreCompact',
      SessionStart: 'SessionStart',
      SessionEnd: 'SessionEnd',
      Notification: 'Notification',
    },
    told: (theirs, input) => ({
      ...input,
      hook_event_name: theirs,
      timestamp: new Date().toISOString(),
      ...(typeof input['tool_name'] === 'string'
        ? { tool_name: familyNameOf(ownNameOf(input['tool_name']), 'gemini') }
        : {}),
      ...('last_assistant_message' in input ? { prompt_response: input['last_assistant_message'] } : {}),
      ...(isRecord(input['tool_response']) ? { tool_response: { llmContent: input['tool_response']['output'] } } : {}),
    }),
    said: geminiAnswer,
  },
  cline: {
    names: {
      TaskStart: 'SessionStart',
      TaskResume: 'SessionStart',
      UserPromptSubmit: 'UserPromptSubmit',
      PreToolUse: 'PreToolUse',
      PostToolUse: 'PostToolUse',
      PreCompact: 'PreCompact',
    },
    told: (theirs, input) => ({
      hookName: theirs,
      timestamp: String(Date.now()),
      taskId: input['session_id'],
      workspaceRoots: [input['cwd']],
      [`${theirs.slice(0, 1).toLowerCase()}${theirs.slice(1)}`]: clineDetail(input),
    }),
    said: clineAnswer,
  },
};

/** Their "allow" only means that there is no objection; their changes are merged over the model's arguments. */
function geminiAnswer(answer: Fields, event: HookEventName, { tool_input: input }: HookInput): Fields {
  const specific = isRecord(answer['hookSpecificOutput']) ? answer['hookSpecificOutput'] : {};
  const { decision, ...rest } = answer;
  const refused = decision === 'deny' || decision === 'block';
  const changed = isRecord(specific['tool_input']) && isRecord(input) ? { ...input, ...specific['tool_input'] } : null;
  const asks = decision === 'ask' && event === 'PreToolUse';
  return {
    ...rest,
    ...(refused ? { decision: 'block' } : {}),
    hookSpecificOutput: {
      ...('additionalContext' in specific ? { additionalContext: specific['additionalContext'] } : {}),
      ...(changed === null ? {} : { updatedInput: changed }),
      ...(asks ? { permissionDecision: 'ask', permissionDecisionReason: answer['reason'] } : {}),
    },
  };
}

function clineDetail(input: HookInput): Fields {
  const { tool_name: toolName, tool_input: parameters, tool_response: response, prompt } = input;
  return {
    ...(toolName === undefined ? {} : { toolName, parameters }),
    ...(isRecord(response)
      ? { result: response['output'], success: response['is_error'] !== true, executionTimeMs: input['duration_ms'] }
      : {}),
    ...defined({ prompt }),
  };
}

function clineAnswer(answer: Fields): Fields {
  const { cancel, contextModification, errorMessage, overrideInput, review } = answer;
  return {
    ...(cancel === true ? { decision: 'block', reason: errorMessage } : {}),
    hookSpecificOutput: {
      ...defined({ additionalContext: contextModification }),
      ...(isRecord(overrideInput) ? { updatedInput: overrideInput } : {}),
      ...(review === true ? { permissionDecision: 'ask', permissionDecisionReason: errorMessage } : {}),
    },
  };
}
