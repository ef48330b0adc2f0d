import { settleAttempt } from './attempts/settle-attempt.ts';
import { prepare } from './steps/01-prepare.ts';
import { assembleContext } from './steps/02-context.ts';
import { configure } from './steps/03-configure.ts';
import { execute } from './steps/04-execute.ts';
import { monitor } from './steps/05-monitor.ts';
import { parse } from './steps/06-parse.ts';
import { validate } from './steps/07-validate.ts';
import { collectArtifacts } from './steps/08-artifacts.ts';
import { trigger } from './steps/09-trigger.ts';
import { cleanUp } from './steps/10-cleanup.ts';
import { startCarrier } from './steps/carrier.ts';
import { type ClaimedRun, openRun } from './steps/open-run.ts';
import { leaveToAnswer } from './steps/leave-to-answer.ts';
import { LeftWaiting, LetGo, type RunContext, type RunServices } from './run-context/run-context.ts';
import type { WorkEnd } from './run-context/slot.ts';
import { bringWorkHere } from './steps/take-over.ts';
import { walkStep } from './steps/walk-step.ts';
import { announceRetry } from './retry/schedule-retry.ts';

/**
 * One run, from its first unfinished step to its end. A failed step leads straight to the trigger; the last two steps always run. It
 * resolves early only if this process has to hand the run over, or if the run waits for a person.
 */
export async function workOnRun(services: RunServices, claimed: ClaimedRun): Promise<WorkEnd> {
  const opened = await openRun(services, claimed);
  if (opened === null) return 'finished';
  const carrier = startCarrier(opened.context);
  let end: WorkEnd = 'finished';
  let left: LeftWaiting | null = null;
  try {
    await announceRetry(opened.context);
    await bringWorkHere(opened);
    await walk(opened.context);
  } catch (error) {
    if (!(error instanceof LetGo)) throw error;
    end = undefined;
    await carrier.leave();
    if (error instanceof LeftWaiting) left = error;
  } finally {
    await carrier.stop();
    opened.close();
  }
  if (left !== null) await leaveToAnswer(opened.context, left.promptIds);
  return end;
}

async function walk(context: RunContext): Promise<void> {
  await walkStep(context, 'prepare', prepare);
  await walkStep(context, 'context', assembleContext);
  await walkStep(context, 'configure', configure);
  await walkStep(context, 'execute', execute);
  await walkStep(context, 'monitor', monitor);
  await walkStep(context, 'parse', parse);
  await walkStep(context, 'validate', validate);
  await settleAttempt(context);
  await walkStep(context, 'artifacts', collectArtifacts);
  await walkStep(context, 'trigger', trigger);
  await walkStep(context, 'cleanup', cleanUp);
}
