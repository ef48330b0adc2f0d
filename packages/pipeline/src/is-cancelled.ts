import type { PipelineStatus } from '@attractor/store';

/** Ended without being done. Pipelines name such a status; their data does not mark it. */
export function isCancelled({ id }: Pick<PipelineStatus, 'id'>): boolean {
  return /^(?:cancell?ed|rejected|abandoned)$/.test(id);
}
