import type { Artifact, LastMerge } from '@attractor/store';
import type { MergeFacts } from './state-facts.ts';

type Work = Pick<Artifact, 'type' | 'label' | 'metadata'>;

/** From the branch and the pull request of the task as a whole, and the last merge that was decided, as they are recorded. */
export function mergeFactsOf(artifacts: ReadonlyArray<Work>, last: LastMerge | null): MergeFacts {
  const branch = artifacts.findLast(({ type }) => type === 'branch');
  const request = artifacts.findLast(({ type }) => type === 'pull_request');
  const { state, mergedAt, mergeCommit, baseBranch, mergeMethod, revertCommit } = request?.metadata ?? {};
  return {
    branch: branch?.label ?? textOf(request?.metadata['headBranch']),
    merged:
      state === 'merged'
        ? {
            commit: textOf(mergeCommit),
            base: textOf(baseBranch) ?? 'its base',
            method: textOf(mergeMethod),
            at: textOf(mergedAt),
            revertedBy: textOf(revertCommit),
          }
        : null,
    canMerge: state === 'open' || state === 'draft',
    isMerging: last?.state === 'waiting' || last?.state === 'running',
    problem: last?.state === 'failed' ? last.error : null,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
