import type { PlatformEvent, PlatformWorkflow } from '@attractor/platform';

/** Events for readers of a worker's log: what it started and how that ended. */
const TOLD: ReadonlySet<string> = new Set([
  'agent.completed',
  'agent.failed',
  'agent.cancelled',
  'agent.retry_scheduled',
  'run.checks_untrusted',
  'work.taken_over',
  'queue.job_given_up',
  'queue.paused',
  'queue.resumed',
]);

/**
 * Reports the runs that this worker has, one line for each important event; returns a function that stops it. Runs of other workers are not
 * reported: `mine` decides by the current state of the queue.
 */
export function tellWork(
  workflow: PlatformWorkflow,
  options: { readonly owner: string; readonly after: number; readonly write: (line: string) => void },
): () => void {
  const own = new Map<string, string>();
  let { after } = options;
  let reading: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    const state = await workflow.queueState({ limit: 1_000 });
    for (const job of state.jobs) {
      if (job.owner !== options.owner || own.has(job.runId)) continue;
      own.set(job.runId, job.key);
      options.write(`took ${job.key} (${job.agentType}, attempt ${job.attempts})`);
    }
    const events = await workflow.events({ after, limit: 1_000 });
    after = events.at(-1)?.seq ?? after;
    for (const event of events) if (isWorthTelling(event, own)) options.write(line(event, own));
  };
  const look = (): void => {
    // What is missed now is read with the next change.
    reading ??= read()
      .catch(() => undefined)
      .finally(() => {
        reading = null;
      });
  };
  const timer = setInterval(look, 500);
  timer.unref();
  const stop = workflow.subscribe(look);
  return () => {
    clearInterval(timer);
    stop();
  };
}

function isWorthTelling({ type, runId }: PlatformEvent, own: ReadonlyMap<string, string>): boolean {
  return TOLD.has(type) && (runId === null || own.has(runId));
}

function line({ runId, summary }: PlatformEvent, own: ReadonlyMap<string, string>): string {
  return runId === null ? summary : `${own.get(runId) ?? runId}: ${summary}`;
}
