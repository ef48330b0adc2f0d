import type { PlatformEvent, PlatformWorkflow } from '@attractor/platform';
import type { TraceSettings } from '../trace-settings.ts';
import { createSpanSender } from './send-spans.ts';
import { beginTrace, foldTrace, type RunTrace } from './trace-of-run.ts';

type Options = {
  readonly workflow: Pick<PlatformWorkflow, 'events' | 'lastSeq' | 'subscribe'>;
  readonly settings: TraceSettings;
  readonly onTrouble: (message: string) => void;
};

const PAGE = 200;
const GRACE_MS = 5_000;

/**
 * Follows the log and sends the spans of every run, whichever process works on it. What happened before is not sent again; of a run that
 * was under way, the rest is. Returns how to end it.
 */
export async function exportTraces({ workflow, settings, onTrouble }: Options): Promise<() => Promise<void>> {
  const sender = createSpanSender(settings, onTrouble);
  const traces = new Map<string, RunTrace>();
  let cursor = await workflow.lastSeq();
  let reading = Promise.resolve();

  const take = async (event: PlatformEvent): Promise<void> => {
    const { runId } = event;
    if (runId === null) return;
    const trace = traces.get(runId) ?? (await traceSoFar(workflow, event, runId));
    const next = foldTrace(trace, event);
    if (next.trace === null) traces.delete(runId);
    else traces.set(runId, next.trace);
    sender.add(next.spans);
  };
  const read = async (): Promise<void> => {
    for (;;) {
      const events = await workflow.events({ after: cursor, limit: PAGE });
      for (const event of events) {
        await take(event);
        cursor = event.seq;
      }
      if (events.length < PAGE) return;
    }
  };
  const look = (): void => {
    // What can't be read now is read with the next change.
    reading = reading.then(read).catch(() => undefined);
  };
  const stop = workflow.subscribe(look);
  return async () => {
    stop();
    look();
    await reading;
    await sender.close(GRACE_MS);
  };
}

/** Of a run that began before this process looked; its earlier spans are somebody else's. */
async function traceSoFar(
  workflow: Pick<PlatformWorkflow, 'events'>,
  event: PlatformEvent,
  runId: string,
): Promise<RunTrace> {
  let trace: RunTrace = beginTrace(runId, event);
  let [after, isFirst] = [0, true];
  for (;;) {
    const events = await workflow.events({ runId, after, limit: PAGE });
    for (const earlier of events) {
      if (earlier.seq >= event.seq) return trace;
      if (isFirst) trace = beginTrace(runId, earlier);
      isFirst = false;
      trace = foldTrace(trace, earlier).trace ?? trace;
      after = earlier.seq;
    }
    if (events.length < PAGE) return trace;
  }
}
