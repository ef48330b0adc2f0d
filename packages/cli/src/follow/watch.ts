import type { AgentRun, PipelineDefinition, PlatformEvent, Prompt, Task } from '@attractor/platform';
import { EXIT, type ExitCode, catchStop, putStyled, startStatusLine } from '@attractor/console';
import { valueOf } from '@attractor/console/lines';
import type { Call } from '../verbs/verb.ts';
import { eventLines, howToAnswer } from './event-lines.ts';
import { followLog } from './follow-log.ts';
import { readTaskNow, taskNowLines } from './task-now.ts';
import { createTaskProgress, type TaskProgress } from './task-progress.ts';

/** Steps that have begun and not ended, the questions that were shown, and what the agent is doing. */
type ShownSoFar = { readonly underWay: Set<string>; readonly asked: Set<string>; readonly progress: TaskProgress };

/** What is watched: whose events, and when they end. `left` is shown if the person leaves before that. */
type Watched<End> = {
  readonly query: { readonly taskId: string } | { readonly runId: string };
  /** The current state, printed instead of the log up to here. Absent: the log is printed from its first event. */
  readonly now?: (told: ShownSoFar) => Promise<Now<End>>;
  /** Called each time the log was read to its end, with what was shown so far; null: continue. */
  readonly ended: (told: ShownSoFar) => Promise<End | null>;
  readonly left: string;
  readonly exit: (end: End) => ExitCode;
  readonly endLine: (end: End) => string;
};

/** `after`: the last event that is not shown, because this shows its result. */
type Now<End> = { readonly after: number; readonly value: End; readonly lines: ReadonlyArray<string> };

/** `attractor runs watch`: from the run's first event to its end. */
export async function watchRun(call: Call, id: string): Promise<ExitCode> {
  const { client } = call;
  const known = valueOf(await client.runs.get(id));
  if (known.status === 'running' && call.where === 'here') call.say(NOBODY_HERE);
  return watch<AgentRun>(call, {
    query: { runId: id },
    ended: async ({ underWay }) => {
      const run = valueOf(await client.runs.get(id));
      return run.status === 'running' || underWay.size > 0 ? null : run;
    },
    left: `The run continues. Watch it again: attractor runs watch ${known.key}; stop it: attractor runs stop ${known.key}`,
    exit: ({ status }) => (status === 'completed' ? EXIT.done : EXIT.failed),
    endLine: ({ status, outcome, error }) =>
      `Run ${known.key} ${status}${outcome === null ? '' : `: ${outcome}`}${error === null ? '' : ` (${error})`}`,
  });
}

export type TaskWatch = {
  readonly id: string;
  readonly from: 'beginning' | 'now';
  readonly until: 'end' | 'rest';
};

/** `attractor tasks watch`: until the task is in a final status or has failed; with `rest` also until it waits for a person. */
export async function watchTask(call: Call, { id, from, until }: TaskWatch): Promise<ExitCode> {
  const { client } = call;
  const task = valueOf(await client.tasks.get(id));
  const pipeline = valueOf(await client.pipelines.get(task.pipelineId, task.pipelineVersion));
  if (call.where === 'here') call.say(NOBODY_HERE);
  return watch<Task>(call, {
    query: { taskId: id },
    ...(from === 'now' ? { now: (told: ShownSoFar) => taskNow(call, { id, told }) } : {}),
    ended: async ({ underWay, asked }) => {
      const [now, running, prompts] = await Promise.all([
        client.tasks.get(id),
        client.runs.list({ taskId: id, status: 'running' }),
        client.prompts.list({ taskId: id, status: 'pending' }),
      ]);
      const current = valueOf(now);
      if (until === 'rest' && valueOf(prompts).some((prompt) => OF_RUNS.has(prompt.type) && asked.has(prompt.id)))
        return current;
      if (valueOf(running).length > 0 || underWay.size > 0) return null;
      const isOver = isFinal(current, pipeline) || (until === 'rest' && valueOf(prompts).length > 0);
      return isOver || (until === 'rest' && !ACTIVE.has(categoryOf(current, pipeline))) ? current : null;
    },
    left: `The task is not stopped by this. Watch it again: attractor tasks watch ${task.key}`,
    exit: ({ status }) => (ENDED_BADLY.has(status) ? EXIT.failed : EXIT.done),
    endLine: ({ status }) => `Task ${task.key} is ${status.replaceAll('_', ' ')}`,
  });
}

/** Past events count as shown. */
async function taskNow(
  { client, output, style }: Call,
  { id, told }: { readonly id: string; readonly told: ShownSoFar },
): Promise<Now<Task>> {
  const newest = valueOf(await client.events.page({ taskId: id, limit: 1, from: 'newest' })).at(-1);
  const past = { taskId: id, type: COUNTED.join(','), limit: 1000, from: 'newest' } as const;
  for (const event of valueOf(await client.events.page(past))) keepCount(told, event);
  const now = await readTaskNow(client, id);
  const lines = output.mode === 'people' ? taskNowLines(now, style) : [];
  return { after: newest?.seq ?? 0, value: now.task, lines };
}

const NOBODY_HERE =
  'No server is running here: this only watches. Work is done by `attractor serve` or `attractor worker`.';
/** Prompts that a run waits for while it runs. */
const OF_RUNS: ReadonlySet<Prompt['type']> = new Set(['tool_approval', 'budget']);
const ENDED_BADLY: ReadonlySet<string> = new Set(['failed', 'cancelled']);
const ACTIVE: ReadonlySet<string> = new Set(['active']);

function isFinal(task: Task, pipeline: PipelineDefinition): boolean {
  return pipeline.terminalStatuses.includes(task.status) || categoryOf(task, pipeline) === 'blocked';
}

function categoryOf({ status }: Task, { statuses }: PipelineDefinition): string {
  return statuses.find(({ id }) => id === status)?.category ?? 'active';
}

async function watch<End>(call: Call, watched: Watched<End>): Promise<ExitCode> {
  const stop = catchStop();
  const finished = new AbortController();
  const signal = AbortSignal.any([stop.signal, finished.signal]);
  const told: ShownSoFar = { underWay: new Set(), asked: new Set(), progress: createTaskProgress() };
  const isForPeople = call.output.mode === 'people';
  const line = isForPeople ? startStatusLine(process.stdout, process.env, told.progress.words) : null;
  let end: End | null = null;
  let isTold = false;
  try {
    const now = await watched.now?.(told);
    if (now !== undefined) isTold = showNow(call, now);
    const query = now === undefined ? watched.query : { ...watched.query, after: now.after };
    for await (const frame of followLog({ client: call.client, query, signal, say: call.say })) {
      if (frame.kind === 'event') {
        isTold = false;
        showEvent(call, frame.event, told);
      }
      if (frame.kind === 'delta') told.progress.hear(frame.delta);
      if (frame.kind !== 'caught_up') continue;
      const ended = await watched.ended(told);
      if (ended === null || !(await isAllTold(call, { query: watched.query, upTo: frame.seq }))) continue;
      end = ended;
      break;
    }
  } finally {
    finished.abort();
    line?.stop();
    stop.release();
  }
  if (end === null) {
    putStyled(process.stderr, `${watched.left}\n`);
    return stop.signal.aborted ? stop.exitCode() : EXIT.failed;
  }
  if (!isTold) call.output.write(`${call.output.mode === 'json' ? JSON.stringify(end) : watched.endLine(end)}\n`);
  return watched.exit(end);
}

/** The log is read before the state: events in between still arrive, and are printed before the end that they led to. */
async function isAllTold(
  { client }: Call,
  { query, upTo }: { readonly query: Watched<unknown>['query']; readonly upTo: number },
): Promise<boolean> {
  const newest = valueOf(await client.events.page({ ...query, limit: 1, from: 'newest' })).at(-1);
  return newest === undefined || newest.seq <= upTo;
}

/** Whether this already shows what the end would repeat if nothing followed. */
function showNow<End>({ output }: Call, { value, lines }: Now<End>): boolean {
  if (output.mode === 'json') output.write(`${JSON.stringify(value)}\n`);
  for (const line of lines) output.write(`${line}\n`);
  return output.mode !== 'quiet';
}

function showEvent({ output, style }: Call, event: PlatformEvent, told: ShownSoFar): void {
  keepCount(told, event);
  if (output.mode === 'json') return output.write(`${JSON.stringify(event)}\n`);
  if (output.mode === 'quiet') return;
  for (const line of eventLines(event, style)) output.write(`${line}\n`);
  if (event.type === 'prompt.created') output.write(`    ${style.dim(howToAnswer(event.data.prompt))}\n`);
}

/** The last steps come after a run is closed and are waited for; steps that a dead worker had begun are not. */
function keepCount({ underWay, asked, progress }: ShownSoFar, event: PlatformEvent): void {
  progress.see(event);
  const run = `${event.runId ?? ''} `;
  if (event.type === 'prompt.created') asked.add(event.data.prompt.id);
  if (event.type === 'run.step_started') underWay.add(`${run}${event.data.step}`);
  if (event.type === 'run.step_finished') underWay.delete(`${run}${event.data.step}`);
  if (!CLOSING.has(event.type)) return;
  for (const begun of underWay) if (begun.startsWith(run)) underWay.delete(begun);
}

const CLOSING: ReadonlySet<string> = new Set(['agent.completed', 'agent.failed', 'agent.cancelled']);
const COUNTED = ['agent.started', 'prompt.created', 'run.step_started', 'run.step_finished', ...CLOSING];
