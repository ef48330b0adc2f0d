import { defined } from '@attractor/base';
import { newUuid } from '@attractor/base/id';
import type { DeliveredEvent, SessionEvent } from '@attractor/journal';
import type { Line } from './event-lines.ts';

/** Lines about what goes on for a while, which no single event tells: calls that take long, agents at work, what runs in the background. */
export type LiveLines = {
  /** Before the lines of the event itself are written. */
  readonly see: (event: DeliveredEvent) => void;
  readonly stop: () => void;
};

export type LiveOptions = {
  readonly write: (line: Line) => void;
  /** The call that started a subagent. */
  readonly callOf: (subagentId: string) => string;
  /** Commands that were left running. */
  readonly commands: () => ReadonlyArray<{ readonly id: string; readonly status: string; readonly command: string }>;
  /** What a person can call by name. */
  readonly listed: () => ReadonlyArray<unknown>;
  /** How often a call that takes long is told. */
  readonly everyMs?: number;
};

const EVERY_MS = 10_000;

type Call = { readonly name: string; readonly parent: string | null; readonly since: number };
type Task = { readonly since: number; readonly facts: object; tokens: number; calls: number };

export function createLiveLines({ write, everyMs = EVERY_MS, ...sources }: LiveOptions): LiveLines {
  const calls = new Map<string, Call>();
  const tasks = new Map<string, Task>();
  let sessionId = '';
  let timer: NodeJS.Timeout | null = null;
  let [background, listed] = ['[]', JSON.stringify(sources.listed())];
  const tell = (type: string, fields: object): void =>
    write({ type, ...fields, session_id: sessionId, uuid: newUuid() });
  const tellSystem = (subtype: string, fields: object): void => tell('system', { subtype, ...fields });
  const tellCalls = (): void => {
    for (const [id, { name, parent, since }] of calls)
      tell('tool_progress', {
        tool_use_id: id,
        tool_name: name,
        parent_tool_use_id: parent,
        elapsed_time_seconds: Math.round((Date.now() - since) / 1_000),
      });
  };
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const noteCall = (event: SessionEvent, parent: string | null): void => {
    if (event.kind === 'TOOL_CALL_START') {
      calls.set(event.toolCallId, { name: event.toolName, parent, since: Date.now() });
      timer ??= setInterval(tellCalls, everyMs).unref();
    }
    if (event.kind !== 'TOOL_CALL_END') return;
    calls.delete(event.toolCallId);
    if (calls.size === 0) stop();
  };
  const tellBackground = (): void => {
    const all = [
      ...sources
        .commands()
        .flatMap(({ id, status, command }) =>
          status === 'running' ? [{ task_id: id, task_type: 'local_bash', description: command }] : [],
        ),
      ...[...tasks].flatMap(([id, { facts }]) =>
        calls.has(sources.callOf(id)) ? [] : [{ task_id: id, task_type: 'local_agent', ...facts }],
      ),
    ];
    const now = JSON.stringify(all);
    if (now !== background) tellSystem('background_tasks_changed', { tasks: all });
    background = now;
  };
  const tellNames = (): void => {
    const commands = sources.listed();
    const now = JSON.stringify(commands);
    if (now !== listed) tellSystem('commands_changed', { commands });
    listed = now;
  };
  const noteTask = (id: string, event: SessionEvent): void => {
    const task = tasks.get(id);
    if (task === undefined) return;
    if (event.kind === 'ASSISTANT_MESSAGE') task.tokens += event.usage.inputTokens + event.usage.outputTokens;
    if (event.kind !== 'TOOL_CALL_START') return;
    task.calls += 1;
    const usage = { total_tokens: task.tokens, tool_uses: task.calls, duration_ms: Date.now() - task.since };
    const about = { task_id: id, tool_use_id: sources.callOf(id), ...task.facts };
    tellSystem('task_progress', { ...about, usage, last_tool_name: event.toolName });
  };
  const see: LiveLines['see'] = (event) => {
    ({ sessionId } = event);
    noteCall(event, null);
    if (event.kind === 'SUBAGENT_START') {
      const { subagentId, instruction, agent } = event;
      const facts = { description: instruction.split('\n', 1)[0], ...defined({ subagent_type: agent }) };
      tasks.set(subagentId, { since: Date.now(), facts, tokens: 0, calls: 0 });
    }
    if (event.kind === 'SUBAGENT_EVENT') {
      noteCall(event.event, sources.callOf(event.subagentId));
      noteTask(event.subagentId, event.event);
    }
    if (event.kind === 'SUBAGENT_END' && tasks.delete(event.subagentId))
      tellSystem('task_updated', {
        task_id: event.subagentId,
        patch: { status: ENDS[event.status], end_time: Date.now() },
      });
    if (CHANGES.has(event.kind)) tellBackground();
    if (event.kind === 'USER_INPUT') tellNames();
  };
  return { see, stop };
}

const ENDS: Readonly<Record<Extract<SessionEvent, { kind: 'SUBAGENT_END' }>['status'], string>> = {
  completed: 'completed',
  error: 'failed',
  aborted: 'killed',
  interrupted: 'killed',
};

/** Events after which something more, or less, may run in the background. */
const CHANGES: ReadonlySet<string> = new Set(['TOOL_CALL_END', 'SUBAGENT_END', 'ASSISTANT_MESSAGE']);
