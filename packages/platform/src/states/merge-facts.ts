import type { Artifact } from '@attractor/store';
import type { MergeFacts } from './state-facts.ts';

type Work = Pick<Artifact, 'type' | 'label' | 'metadata'>;

/** From the branch and the pull request of the task as a whole, as they are recorded. */
export function mergeFactsOf(artifacts: ReadonlyArray<Work>): MergeFacts {
  const branch = artifacts.findLast(({ type }) => type === 'branch');
  const request = artifacts.findLast(({ type }) => type === 'pull_request');
  const { state, mergedAt, mergeCommit, baseBranch } = request?.metadata ?? {};
  return {
    branch: branch?.label ?? textOf(request?.metadata['headBranch']),
    merged:
      state === 'merged'
        ? {
            commit: textOf(mergeCommit),
            base: textOf(baseBranch) ?? 'its base',
            method: null,
            at: textOf(mergedAt),
          }
        : null,
    isMerging: false,
    problem: null,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
