import type { PlatformEvent, PlatformWorkflow } from '@attractor/platform';
import { readableText } from '@attractor/console';

/** What the log of a server is made of: what it did and what happened to it, not every word of every agent. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'agent.message',
  'agent.tool_use',
  'run.step_started',
  'run.step_finished',
  'activity.logged',
]);

export type LogFormat = 'text' | 'json';

type Options = {
  readonly format: LogFormat;
  /** The last event that is not told. */
  readonly after: number;
  readonly write: (line: string) => void;
};

/** Tells each event that a person may want to follow, on a line with its time and the key of its subject. Returns how to end it. */
export function logWork(workflow: PlatformWorkflow, { format, after, write }: Options): () => Promise<void> {
  const keyOf = keyReader(workflow);
  let [last, reading, isFresh] = [after, Promise.resolve(), false];
  const read = async (): Promise<void> => {
    isFresh = false;
    for (;;) {
      const events = await workflow.events({ after: last, limit: PAGE });
      for (const event of events)
        if (event.level !== 'debug' && !LEFT_OUT.has(event.type)) write(FORMATS[format](event, await keyOf(event)));
      last = events.at(-1)?.seq ?? last;
      if (events.length < PAGE) return;
    }
  };
  const look = (): void => {
    if (isFresh) return;
    isFresh = true;
    // What can't be read now is read with the next change.
    reading = reading.then(read).catch(() => undefined);
  };
  const stop = workflow.subscribe(look);
  return async () => {
    look();
    stop();
    await reading;
  };
}

const PAGE = 200;
const KEYS_KEPT = 1000;

/** The key of the run, else of the task, else of the project. */
function keyReader(workflow: PlatformWorkflow): (event: PlatformEvent) => Promise<string> {
  const known = new Map<string, string>();
  return async ({ runId, taskId, projectId }) => {
    const id = runId ?? taskId ?? projectId;
    const kept = known.get(id);
    if (kept !== undefined) return kept;
    const found =
      runId !== null
        ? await workflow.getRun(runId)
        : taskId !== null
          ? await workflow.getTask(taskId)
          : await workflow.getProject(projectId);
    if (known.size > KEYS_KEPT) known.clear();
    if (found !== null) known.set(id, found.key);
    return found?.key ?? '';
  };
}

const FORMATS: Readonly<Record<LogFormat, (event: PlatformEvent, key: string) => string>> = {
  text: ({ at, level, summary }, key) => {
    const mark = level === 'error' ? 'ERROR ' : level === 'warning' ? 'WARN  ' : '';
    return `${at.slice(11, 19)}  ${key.padEnd(10)}  ${mark}${readableText(summary).replaceAll(/\s+/g, ' ')}`;
  },
  json: ({ at, seq, level, type, projectId, taskId, runId, summary }, key) =>
    JSON.stringify({ at, seq, level, type, key, projectId, taskId, runId, summary }),
};
