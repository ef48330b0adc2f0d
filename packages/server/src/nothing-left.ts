import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformWorkflow } from '@attractor/platform';

const LOOK_MS = 2_000;
/** Between two jobs of a task there may be a moment without any. */
const QUIET_LOOKS = 2;

/** Resolves once nothing is queued or at work and nobody is asked anything. */
export async function nothingLeftToServe(workflow: PlatformWorkflow, signal: AbortSignal): Promise<void> {
  for (let quiet = 0; quiet < QUIET_LOOKS && !signal.aborted;) {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    quiet = (await isQuiet(workflow)) ? quiet + 1 : 0;
  }
}

/** A database that can't be read just now is no reason to end. */
async function isQuiet(workflow: PlatformWorkflow): Promise<boolean> {
  try {
    const { running, queued, waiting } = await workflow.queueState({ limit: 0 });
    return running + queued + waiting === 0 && (await workflow.listPrompts({ status: 'pending' })).length === 0;
  } catch {
    return false;
  }
}
