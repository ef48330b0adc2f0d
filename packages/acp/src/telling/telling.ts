import type { SessionUpdate, ToolCallContent, ToolCallStatus } from '@agentclientprotocol/sdk/unstable';
import type { SessionEvent } from '@attractor/agent';
import { costOf } from '@attractor/llm';
import { ownNameOf, stepsOf } from '@attractor/tool-table';
import type { Editor } from '../editor/editor.ts';
import type { FileEdit } from '../editor/editor-environment.ts';
import { noticeOf, noticeUpdate } from './notices.ts';
import { planOf } from './plan.ts';
import { type CallFacts, diffContent, fenced, shortened, toolCallOf, touchedFiles } from './tool-call.ts';

export type Telling = {
  readonly see: (event: SessionEvent) => void;
  /** Shows a call that waits for a person. */
  readonly announce: (call: CallFacts, content: ReadonlyArray<ToolCallContent>) => void;
  /** A file was changed: it belongs to the call that ends next and names it. */
  readonly edited: (edit: FileEdit) => void;
  /** A command runs in a terminal of the editor. */
  readonly inTerminal: (command: string, terminalId: string) => void;
};

export type TellingOptions = {
  readonly editor: Editor;
  readonly folder: string;
  readonly windowOf: (model: string) => number | null;
  readonly now?: () => number;
};

type OpenCall = CallFacts & { output: string; shownAt: number; terminal: string | null };

type State = {
  readonly calls: Map<string, OpenCall>;
  edits: ReadonlyArray<FileEdit>;
  /** What was shown of the answer that is being written. */
  shown: string;
  cost: number | null;
};

type Handlers = {
  readonly [Kind in SessionEvent['kind']]?: (event: Extract<SessionEvent, { readonly kind: Kind }>) => void;
};

/** Events of a session become updates for an editor, one after the other and at once. */
export function createTelling(options: TellingOptions): Telling {
  const { editor } = options;
  const state: State = { calls: new Map(), edits: [], shown: '', cost: 0 };
  const calls = tellCalls(options, state);
  const handlers: Handlers = { ...tellSpeech(options, state), ...calls.handlers };
  return {
    see: (event) => {
      const handle = handlers[event.kind] as ((event: SessionEvent) => void) | undefined;
      handle?.(event);
      const notice = noticeOf(event);
      if (notice !== null) editor.update(noticeUpdate(notice, editor.can.showsNotices));
    },
    announce: (call, content) => calls.announce(call, 'pending', content),
    edited: (edit) => {
      state.edits = [...state.edits, edit];
    },
    inTerminal: (command, terminalId) => {
      const call = [...state.calls.values()].find((one) => one.terminal === null && one.args['command'] === command);
      if (call === undefined) return;
      call.terminal = terminalId;
      const content = [{ type: 'terminal', terminalId } as const];
      editor.update({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, content });
    },
  };
}

function chunk(kind: 'agent_message_chunk' | 'agent_thought_chunk', text: string): SessionUpdate {
  return { sessionUpdate: kind, content: { type: 'text', text } };
}

function tellSpeech({ editor, windowOf }: TellingOptions, state: State): Handlers {
  return {
    ASSISTANT_TEXT_START: () => {
      state.shown = '';
    },
    ASSISTANT_TEXT_DELTA: ({ text }) => {
      state.shown += text;
      editor.update(chunk('agent_message_chunk', text));
    },
    THINKING_DELTA: ({ text }) => editor.update(chunk('agent_thought_chunk', text)),
    ASSISTANT_MESSAGE: ({ content, usage, model }) => {
      const whole = content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
      // A reader that fell behind lost some of what was streamed.
      const rest = whole.startsWith(state.shown) ? whole.slice(state.shown.length) : '';
      if (rest !== '') editor.update(chunk('agent_message_chunk', rest));
      state.shown = '';
      const cost = costOf(model, usage);
      state.cost = cost === null || state.cost === null ? null : state.cost + cost;
      const size = windowOf(model);
      if (size === null) return;
      const spent = state.cost === null ? {} : { cost: { amount: state.cost, currency: 'USD' } };
      editor.update({
        sessionUpdate: 'usage_update',
        used: usage.inputTokens + usage.outputTokens,
        size,
        ...spent,
      });
    },
  };
}

const PAUSE_MS = 200;

function tellCalls({ editor, folder, now = Date.now }: TellingOptions, state: State) {
  const announce = (call: CallFacts, status: ToolCallStatus, content?: ReadonlyArray<ToolCallContent>): void => {
    const known = state.calls.get(call.toolCallId);
    state.calls.set(call.toolCallId, { output: '', shownAt: 0, terminal: null, ...known, ...call });
    const shown = toolCallOf(call, folder);
    if (known !== undefined) {
      editor.update({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, status, rawInput: call.args });
      return;
    }
    const drawn = drawsHere(call, editor) ? drawnTerminal(call.toolCallId, folder) : {};
    editor.update({
      sessionUpdate: 'tool_call',
      ...shown,
      status,
      ...(content && { content: [...content] }),
      ...drawn,
    });
  };
  const handlers: Handlers = {
    TOOL_CALL_START: (call) => {
      const steps = stepsOf(call.toolName, call.args);
      if (steps === null) announce(call, 'in_progress');
      else editor.update({ sessionUpdate: 'plan', ...planOf(steps) });
    },
    TOOL_CALL_OUTPUT_DELTA: ({ toolCallId, text }) => {
      const call = state.calls.get(toolCallId);
      if (call === undefined || call.terminal !== null) return;
      call.output = `${call.output}${text}`;
      if (drawsHere(call, editor))
        return editor.update({ sessionUpdate: 'tool_call_update', toolCallId, _meta: outputMeta(toolCallId, text) });
      if (now() - call.shownAt < PAUSE_MS) return;
      call.shownAt = now();
      editor.update({ sessionUpdate: 'tool_call_update', toolCallId, content: [fenced(shortened(call.output))] });
    },
    // Its end has the reason as its output.
    PERMISSION_DENIED: (call) => announce(call, 'failed'),
    TOOL_CALL_END: ({ toolCallId, toolName, output, isError }) => {
      const call = state.calls.get(toolCallId);
      if (call === undefined) return;
      state.calls.delete(toolCallId);
      const files = new Set(touchedFiles(toolName, call.args, folder));
      const [edits, others] = parted(state.edits, ({ path: file }) => files.has(file));
      state.edits = others;
      const content = endContent(call, { output, isError, edits, editor });
      editor.update({
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: isError ? 'failed' : 'completed',
        rawOutput: { output: shortened(output), isError },
        ...(content === null ? {} : { content: [...content] }),
        ...(drawsHere(call, editor) ? { _meta: exitMeta(toolCallId, isError) } : {}),
      });
    },
  };
  return { announce, handlers };
}

type CallEnd = {
  readonly output: string;
  readonly isError: boolean;
  readonly edits: ReadonlyArray<FileEdit>;
  readonly editor: Editor;
};

/** Null: what is shown already stays. */
function endContent(
  call: OpenCall,
  { output, isError, edits, editor }: CallEnd,
): ReadonlyArray<ToolCallContent> | null {
  if (!isError && edits.length > 0) return edits.map(diffContent);
  if (call.terminal !== null || (drawsHere(call, editor) && call.output !== '')) return null;
  if (ownNameOf(call.toolName) === 'exit_plan_mode' && !isError) return null;
  return output.trim() === '' ? null : [fenced(shortened(output))];
}

function drawsHere({ toolName }: Pick<CallFacts, 'toolName'>, editor: Editor): boolean {
  return editor.can.drawsOutput && ownNameOf(toolName) === 'shell';
}

/** An extension that editors announce as `terminal_output`: they draw a terminal for a command that runs here. */
function drawnTerminal(toolCallId: string, folder: string) {
  return {
    content: [{ type: 'terminal' as const, terminalId: toolCallId }],
    _meta: { terminal_info: { terminal_id: toolCallId, cwd: folder } },
  };
}

function outputMeta(toolCallId: string, data: string) {
  return { terminal_output: { terminal_id: toolCallId, data: data.replaceAll(/\r?\n/g, '\r\n') } };
}

function exitMeta(toolCallId: string, isError: boolean) {
  return { terminal_exit: { terminal_id: toolCallId, exit_code: isError ? 1 : 0, signal: null } };
}

function parted<Item>(items: ReadonlyArray<Item>, fits: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(fits), items.filter((item) => !fits(item))];
}
