import { randomUUID } from 'node:crypto';
import { isRecord } from '@attractor/base';
import type { Dialogue, Pipe } from '../program/dialogue.ts';
import { endingOf, openHearing, silenceFailure } from '../program/hearing.ts';
import { type CallJudge, createCallJudge } from '../program/judge-calls.ts';
import { parseLine, readLines } from '@attractor/rpc';
import type { ProgramCall } from '../program/run-program.ts';
import { answerMcp } from '../run-tools/answer-mcp.ts';
import { createRunTools, type RunTools, SERVER_NAME } from '../run-tools/run-tools.ts';
import { CLAUDE_START, translateClaude } from '../translate/claude-code.ts';

type Request = Readonly<Record<string, unknown>>;

/**
 * Claude Code over its pipes, in stream-json with the control channel beside it: before every tool it asks our guard, permissions come as
 * questions, and the run's own tools are served over the same pipes, so that nobody else can be at the other end.
 */
export function claudeDialogue(name: string, call: ProgramCall): Dialogue {
  let pipe: Pipe | null = null;
  let [state, isAnswering] = [CLAUDE_START, false];
  const waiting = new Map<string, string>();
  const hearing = openHearing(call, () => pipe?.hangUp());
  const tools = createRunTools(call.options, call);
  const judge = createCallJudge(call.options);
  const send = (line: object): void => pipe?.write(`${JSON.stringify(line)}\n`);
  // It repeats what it read of its input, by the name that this was given.
  const take = (uuid: unknown): void => {
    const key = waiting.get(String(uuid));
    if (key === undefined) return;
    waiting.delete(String(uuid));
    call.taken(key);
  };
  const silence = setTimeout(() => isAnswering || hearing.fail(silenceFailure(name, call)), call.silenceMs);
  silence.unref();
  let unread: NodeJS.Timeout | undefined;
  const lines = readLines((line) => {
    isAnswering = true;
    clearTimeout(unread);
    const parsed = parseLine(line);
    if (!isRecord(parsed)) return hearing.garbage(line);
    if (parsed['type'] === 'control_request') return void answerControl(parsed, { judge, tools }).then(send);
    if (parsed['type'] === 'control_response' || parsed['type'] === 'control_cancel_request') return;
    if (parsed['isReplay'] === true) return take(parsed['uuid']);
    const translated = translateClaude(state, parsed);
    state = translated.state;
    const { over, ...told } = translated.told;
    if (over === undefined || over.failure !== null || waiting.size === 0) return hearing.heard(translated.told);
    // With a message waiting it begins its next turn by itself, and the end of that one is the end. If it does not, the message is left.
    hearing.heard(told);
    unread = setTimeout(hearing.finish, call.silenceMs).unref();
  });
  return {
    begin: (opened) => {
      pipe = opened;
      const hooks = { PreToolUse: [{ matcher: null, hookCallbackIds: [GUARD] }] };
      send(control('begin', { subtype: 'initialize', hooks, sdkMcpServers: [SERVER_NAME] }));
      send(said(call.prompt, call));
    },
    steer: ({ key, text }) => {
      const uuid = randomUUID();
      waiting.set(uuid, key);
      send({ ...said(text, call), uuid });
    },
    push: lines.push,
    end: () => {
      clearTimeout(silence);
      clearTimeout(unread);
      lines.end();
    },
    cancel: () => send(control('cancel', { subtype: 'interrupt' })),
    ending: () => endingOf(hearing, tools),
  };
}

function said(text: string, { session }: ProgramCall): object {
  const message = { role: 'user', content: text };
  return { type: 'user', message, parent_tool_use_id: null, session_id: session ?? '' };
}

const GUARD = 'guard';

function control(requestId: string, request: object): object {
  return { type: 'control_request', request_id: requestId, request };
}

type World = { readonly judge: CallJudge; readonly tools: RunTools };

async function answerControl(line: Request, world: World): Promise<object> {
  const request = isRecord(line['request']) ? line['request'] : {};
  const answer = ANSWERS[String(request['subtype'])];
  const about = { request_id: line['request_id'] };
  if (answer === undefined) {
    const error = `"${String(request['subtype'])}" is not answered here`;
    return { type: 'control_response', response: { subtype: 'error', ...about, error } };
  }
  return {
    type: 'control_response',
    response: { subtype: 'success', ...about, response: await answer(request, world) },
  };
}

const ANSWERS: Readonly<Record<string, (request: Request, world: World) => Promise<object>>> = {
  hook_callback: async ({ input, tool_use_id: id }, { judge }) => {
    const { tool_name: toolName, tool_input: args } = isRecord(input) ? input : {};
    const call = { toolCallId: String(id), toolName: String(toolName), args: isRecord(args) ? args : {} };
    const { decision, reason } = await judge.judge(call);
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: decision,
        permissionDecisionReason: reason,
      },
    };
  },
  can_use_tool: async ({ tool_name: toolName, input, tool_use_id: id }, { judge }) => {
    const args = isRecord(input) ? input : {};
    const answer = await judge.decide({ toolCallId: String(id), toolName: String(toolName), args });
    if (answer.allowed) return { behavior: 'allow', updatedInput: answer.input ?? args };
    return { behavior: 'deny', message: answer.message };
  },
  mcp_message: async ({ message }, { tools }) => ({
    mcp_response: (await answerMcp(tools, message)) ?? { jsonrpc: '2.0', id: 0, result: {} },
  }),
};
