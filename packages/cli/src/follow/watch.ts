import type { AgentRun, PipelineDefinition, PlatformEvent, Prompt, Task } from '@attractor/platform';
import { EXIT, type ExitCode } from '../exit.ts';
import { valueOf } from '../nouns/value-of.ts';
import type { Call } from '../nouns/verb.ts';
import { catchStop } from '../terminal/stop-signal.ts';
import { eventLines } from './event-lines.ts';
import { followLog } from './follow-log.ts';

/** Steps that have begun and not ended, and the questions that were shown. */
type Told = { readonly underWay: Set<string>; readonly asked: Set<string> };

/** What is watched: whose events, and when nothing more is to come. `left` is said to whoever leaves before that. */
type Watched<End> = {
  readonly query: { readonly taskId: string } | { readonly runId: string };
  /** Asked each time that the log was read to its end, with what it told so far; null: go on. */
  readonly ended: (told: Told) => Promise<End | null>;
  readonly left: string;
  readonly exit: (end: End) => ExitCode;
  readonly endLine: (end: End) => string;
};

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
    left: `The run goes on. Watch it again: attractor runs watch ${id}; stop it: attractor runs stop ${id}`,
    exit: ({ status }) => (status === 'completed' ? EXIT.done : EXIT.failed),
    endLine: ({ status, outcome, error }) =>
      `Run ${id} ${status}${outcome === null ? '' : `: ${outcome}`}${error === null ? '' : ` (${error})`}`,
  });
}

/** `attractor tasks watch`: until the task is in a final status or has failed; with `rest` also until it waits for a person. */
export async function watchTask(
  call: Call,
  { id, until }: { readonly id: string; readonly until: 'end' | 'rest' },
): Promise<ExitCode> {
  const { client } = call;
  const task = valueOf(await client.tasks.get(id));
  const pipeline = valueOf(await client.pipelines.get(task.pipelineId, task.pipelineVersion));
  if (call.where === 'here') call.say(NOBODY_HERE);
  return watch<Task>(call, {
    query: { taskId: id },
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
    left: `The task goes on. Watch it again: attractor tasks watch ${id}`,
    exit: ({ status }) => (ENDED_BADLY.has(status) ? EXIT.failed : EXIT.done),
    endLine: ({ status }) => `Task ${id} is ${status.replaceAll('_', ' ')}`,
  });
}

const NOBODY_HERE = 'No server runs here: this only looks on. Work is done by `attractor serve` or `attractor worker`.';
/** Questions that a run waits for while it runs. */
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
  const told: Told = { underWay: new Set(), asked: new Set() };
  const frames = followLog({ client: call.client, query: watched.query, signal, say: call.say });
  let end: End | null = null;
  try {
    for await (const frame of frames) {
      if (frame.kind === 'event') showEvent(call, frame.event, told);
      if (frame.kind !== 'caught_up') continue;
      end = await watched.ended(told);
      if (end !== null) break;
    }
  } finally {
    finished.abort();
    stop.release();
  }
  if (end === null) {
    process.stderr.write(`${watched.left}\n`);
    return stop.signal.aborted
      ? stop.exitCode() === EXIT.terminated
        ? EXIT.terminated
        : EXIT.interrupted
      : EXIT.failed;
  }
  call.output.write(call.output.mode === 'json' ? `${JSON.stringify(end)}\n` : `${watched.endLine(end)}\n`);
  return watched.exit(end);
}

function showEvent({ output, style }: Call, event: PlatformEvent, told: Told): void {
  keepCount(told, event);
  if (output.mode === 'json') return output.write(`${JSON.stringify(event)}\n`);
  if (output.mode === 'quiet') return;
  for (const line of eventLines(event, style)) output.write(`${line}\n`);
  if (event.type === 'prompt.created') output.write(`    ${style.dim(howToAnswer(event.data['prompt'] as Prompt))}\n`);
}

/** The last steps come after a run is closed and are waited for; what a worker that died had begun before is not. */
function keepCount({ underWay, asked }: Told, { type, runId, data }: PlatformEvent): void {
  if (type === 'prompt.created') asked.add((data['prompt'] as Prompt).id);
  const step = `${runId ?? ''} ${String(data['step'])}`;
  if (type === 'run.step_started') underWay.add(step);
  if (type === 'run.step_finished') underWay.delete(step);
  if (!CLOSING.has(type)) return;
  for (const begun of underWay) if (begun.startsWith(`${runId ?? ''} `)) underWay.delete(begun);
}

const CLOSING: ReadonlySet<string> = new Set(['agent.completed', 'agent.failed', 'agent.cancelled']);

function howToAnswer({ id }: Prompt): string {
  return `answer with: attractor prompts answer ${id} (see --help)`;
}
