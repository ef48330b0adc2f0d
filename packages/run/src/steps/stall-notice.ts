import { appendEvents } from '@attractor/store';
import { eventOf, type RunContext } from '../run-context/run-context.ts';

/**
 * Reports once for each silence that the agent has been quiet for this long: a warning in the log and a live notice. It ends nothing; the
 * agent may be thinking. No report while a person is being asked.
 */
export function watchSilence(context: RunContext, afterMs: number) {
  let timer: NodeJS.Timeout | undefined;
  let pauses = 0;
  let isStopped = false;
  const notice = (): void => void tell(context, afterMs).catch(() => undefined);
  const arm = (): void => {
    clearTimeout(timer);
    if (isStopped || pauses > 0 || !Number.isFinite(afterMs)) return;
    timer = setTimeout(notice, Math.min(afterMs, 2 ** 31 - 1));
    timer.unref();
  };
  arm();
  return {
    heard: arm,
    pause: (): void => {
      pauses += 1;
      clearTimeout(timer);
    },
    resume: (): void => {
      pauses -= 1;
      arm();
    },
    stop: (): void => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function tell(context: RunContext, afterMs: number): Promise<void> {
  const minutes = Math.round(afterMs / 60_000);
  const long = minutes >= 1 ? `${minutes} min` : `${Math.round(afterMs / 1000)} s`;
  const text = `The agent has been silent for ${long}. It continues; stop it if it hangs.`;
  context.services.live.send({
    taskId: context.task.id,
    runId: context.state.run.id,
    delta: { kind: 'notice', level: 'warning', text },
  });
  await context.transact((tx) =>
    appendEvents(tx, [
      eventOf(context, { type: 'agent.stalled', level: 'warning', summary: text, data: { silentMs: afterMs } }),
    ]),
  );
}
