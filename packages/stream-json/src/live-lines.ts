import { defined } from '@attractor/base';
import { newUuid } from '@attractor/base/id';
import type { DeliveredEvent, SessionEvent } from '@attractor/journal';
import type { Line } from './event-lines.ts';

/** Lines about what goes on for a while, which no single event tells: calls that take long, agents at work, what runs in the background. */
export type LiveLines = {
  /** Before the lines of the event itself are written. */
  readonly see: (event: DeliveredEvent) => void;
  /** Something was stopped without an event. */
  readonly look: () => void;
  readonly stop: () => void;
  /** What is told of an agent at work; null: it is not at work. */
  readonly aboutAgent: (subagentId: string) => Readonly<Record<string, unknown>> | null;
};

export type LiveOptions = {
  readonly write: (line: Line) => void;
  /** The call that started a subagent. */
  readonly callOf: (subagentId: string) => string;
  /** Commands that were left running. */
  readonly commands: () => ReadonlyArray<{ readonly id: string; readonly status: string; readonly command: string }>;
  /** What a person can call by name. */
  readonly listed: () => ReadonlyArray<unknown>;
};

export function createLiveLines(options: LiveOptions): LiveLines {
  let sessionId = '';
  const tell: Tell = (type, fields) => {
    const ofSystem = type === 'tool_progress' ? { type } : { type: 'system', subtype: type };
    options.write({ ...ofSystem, ...fields, session_id: sessionId, uuid: newUuid() });
  };
  const calls = createCalls(tell);
  const tasks = createTasks(tell, options.callOf);
  const commands = createCommands(tell);
  const tellIfChanged = createLevels(tell, options.listed());
  let looking: NodeJS.Timeout | null = null;
  const rest = (): void => {
    if (looking !== null) clearInterval(looking);
    looking = null;
  };
  const look = (): void => {
    const now = options.commands();
    const agents = tasks.list().filter(({ task_id: id }) => !calls.isOpen(options.callOf(id)));
    commands.see(now);
    // Nothing else tells that a command has ended by itself.
    if (now.some(({ status }) => status === 'running')) looking ??= setInterval(look, LOOK_MS).unref();
    else rest();
    tellIfChanged('background_tasks_changed', 'tasks', [...now.flatMap(commandTask), ...agents]);
  };
  const see: LiveLines['see'] = (event) => {
    ({ sessionId } = event);
    calls.see(event, null);
    tasks.see(event);
    if (event.kind === 'SUBAGENT_EVENT') calls.see(event.event, options.callOf(event.subagentId));
    if (CHANGES.has(event.kind)) look();
    if (event.kind === 'USER_INPUT') tellIfChanged('commands_changed', 'commands', options.listed());
  };
  const stop = (): void => {
    rest();
    calls.stop();
  };
  return { see, look, stop, aboutAgent: tasks.about };
}

const LOOK_MS = 500;

type Tell = (type: string, fields: object) => void;

/** Events after which something more, or less, may run in the background. */
const CHANGES: ReadonlySet<string> = new Set(['TOOL_CALL_END', 'SUBAGENT_END', 'ASSISTANT_MESSAGE']);

type Command = ReturnType<LiveOptions['commands']>[number];

/** Commands that began to run in the background, and those that ended: each is told once. */
function createCommands(tell: Tell) {
  const running = new Set<string>();
  return {
    see: (all: ReadonlyArray<Command>): void => {
      for (const one of all) {
        const { id, status, command } = one;
        if (status === 'running' && !running.has(id)) {
          running.add(id);
          tell('task_started', { ...commandTask(one)[0], is_backgrounded: true });
        }
        if (status === 'running' || !running.delete(id)) continue;
        const ended = { task_id: id, status: COMMAND_ENDS[status] ?? 'stopped', output_file: '' };
        tell('task_notification', { ...ended, summary: `${command}: ${status}` });
      }
    },
  };
}

const COMMAND_ENDS: Readonly<Record<string, string>> = { completed: 'completed', failed: 'failed' };

function commandTask({ id, status, command }: Command) {
  return status === 'running' ? [{ task_id: id, task_type: 'local_bash', description: command }] : [];
}

/** Lists that are told whole whenever they change. */
function createLevels(tell: Tell, listed: ReadonlyArray<unknown>) {
  const known = new Map([
    ['background_tasks_changed', '[]'],
    ['commands_changed', JSON.stringify(listed)],
  ]);
  return (type: string, field: string, all: ReadonlyArray<unknown>): void => {
    const now = JSON.stringify(all);
    if (known.get(type) !== now) tell(type, { [field]: all });
    known.set(type, now);
  };
}

const EVERY_MS = 10_000;

function createCalls(tell: Tell) {
  const open = new Map<string, { readonly name: string; readonly parent: string | null; readonly since: number }>();
  let timer: NodeJS.Timeout | null = null;
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const tellAll = (): void => {
    for (const [id, { name, parent, since }] of open)
      tell('tool_progress', {
        tool_use_id: id,
        tool_name: name,
        parent_tool_use_id: parent,
        elapsed_time_seconds: Math.round((Date.now() - since) / 1_000),
      });
  };
  return {
    stop,
    isOpen: (id: string): boolean => open.has(id),
    see: (event: SessionEvent, parent: string | null): void => {
      if (event.kind === 'TOOL_CALL_START') {
        open.set(event.toolCallId, { name: event.toolName, parent, since: Date.now() });
        timer ??= setInterval(tellAll, EVERY_MS).unref();
      }
      if (event.kind === 'TOOL_CALL_END' && open.delete(event.toolCallId) && open.size === 0) stop();
    },
  };
}

type Task = { readonly since: number; readonly facts: object; tokens: number; calls: number; last?: string };

function createTasks(tell: Tell, callOf: LiveOptions['callOf']) {
  const tasks = new Map<string, Task>();
  const progress = (id: string, task: Task, event: SessionEvent): void => {
    if (event.kind === 'ASSISTANT_MESSAGE') task.tokens += event.usage.inputTokens + event.usage.outputTokens;
    if (event.kind !== 'TOOL_CALL_START') return;
    task.calls += 1;
    task.last = event.toolName;
    tell('task_progress', aboutTask(id, task));
  };
  const aboutTask = (id: string, task: Task) => {
    const usage = { total_tokens: task.tokens, tool_uses: task.calls, duration_ms: Date.now() - task.since };
    return { task_id: id, tool_use_id: callOf(id), ...task.facts, usage, ...defined({ last_tool_name: task.last }) };
  };
  return {
    list: () => [...tasks].map(([id, { facts }]) => ({ task_id: id, task_type: 'local_agent', ...facts })),
    about: (id: string) => {
      const task = tasks.get(id);
      return task === undefined ? null : aboutTask(id, task);
    },
    see: (event: SessionEvent): void => {
      if (event.kind === 'SUBAGENT_START') {
        const { subagentId, instruction, agent } = event;
        const facts = { description: instruction.split('\n', 1)[0], ...defined({ subagent_type: agent }) };
        tasks.set(subagentId, { since: Date.now(), facts, tokens: 0, calls: 0 });
      }
      const task = event.kind === 'SUBAGENT_EVENT' ? tasks.get(event.subagentId) : undefined;
      if (event.kind === 'SUBAGENT_EVENT' && task !== undefined) progress(event.subagentId, task, event.event);
      if (event.kind === 'SUBAGENT_END' && tasks.delete(event.subagentId))
        tell('task_updated', {
          task_id: event.subagentId,
          patch: { status: ENDS[event.status], end_time: Date.now() },
        });
    },
  };
}

const ENDS: Readonly<Record<Extract<SessionEvent, { kind: 'SUBAGENT_END' }>['status'], string>> = {
  completed: 'completed',
  error: 'failed',
  aborted: 'killed',
  interrupted: 'killed',
};
