import { RUN_MODES } from '@attractor/facts';
import type { AgentRun, StartBlock } from '@attractor/store';

/** A newer version on the same database may make runs of a kind that this one can't carry out: they are left to its workers. */
export function heldForNewer({ key, mode }: AgentRun): StartBlock | null {
  if (RUN_MODES.includes(mode)) return null;
  const message = `${key} is of a newer version of Attractor (mode "${mode}"): update this worker.`;
  return { code: 'newer_version', message };
}
