import { RUN_MODES } from '@attractor/facts';
import type { AgentRun, StartGate } from '@attractor/store';

/** A newer version on the same database may make runs of a kind that this one can't carry out: they are left to its workers. */
export function isOfNewerVersion({ mode }: AgentRun): boolean {
  return !RUN_MODES.includes(mode);
}

export const newerRunGate: StartGate = async (_, run) => {
  if (!isOfNewerVersion(run)) return null;
  const message = `${run.key} is of a newer version of Attractor (mode "${run.mode}"): update this worker.`;
  return { code: 'newer_version', message };
};
