import { isRecord } from '@attractor/base';
import type { Artifact, LastEffect, RunSummary } from '@attractor/store';
import type { MergeFacts, MergeObstacle } from './state-facts.ts';

type Work = Pick<Artifact, 'type' | 'label' | 'metadata'>;

/** From the branch and the pull request of the task as a whole, and the last merge that was decided, as they are recorded. */
export function mergeFactsOf(
  artifacts: ReadonlyArray<Work>,
  last: Pick<LastEffect, 'state' | 'error' | 'detail'> | null,
  unkept: MergeFacts['unkept'] = null,
): MergeFacts {
  const branch = artifacts.findLast(({ type }) => type === 'branch');
  const request = artifacts.findLast(({ type }) => type === 'pull_request');
  const { state, mergedAt, mergeCommit, baseBranch, baseCommit, mergeMethod, revertCommit } = request?.metadata ?? {};
  return {
    unkept,
    branch: branch?.label ?? textOf(request?.metadata['headBranch']),
    merged:
      state === 'merged'
        ? {
            commit: textOf(mergeCommit),
            base: textOf(baseBranch) ?? 'its base',
            method: textOf(mergeMethod),
            at: textOf(mergedAt),
            revertedBy: textOf(revertCommit),
            canRevert: textOf(mergeCommit) !== null && (textOf(baseCommit) !== null || mergeMethod !== 'ff'),
          }
        : null,
    isOffered: request !== undefined,
    canMerge: state === 'open' || state === 'draft',
    isMerging: last?.state === 'waiting' || last?.state === 'running',
    problem: last?.state === 'failed' ? { message: last.error ?? '', obstacle: obstacleOf(last.detail) } : null,
  };
}

/** Null if nothing of the run has still to be kept. */
export function unkeptOf(run: RunSummary | null, last: LastEffect | null): MergeFacts['unkept'] {
  if (run === null || last === null || last.runId !== run.id || last.state === 'done') return null;
  return { branch: run.branch ?? 'its branch', problem: last.error, isGivenUp: last.state === 'failed' };
}

function obstacleOf(detail: LastEffect['detail']): MergeObstacle | null {
  const { conflicts, behind, checks, uncommitted, nothing } = detail;
  if (isRecord(uncommitted)) {
    const { folder, files } = uncommitted;
    const named = Array.isArray(files) ? files.filter((file) => typeof file === 'string') : [];
    return typeof folder === 'string' ? { kind: 'uncommitted', folder, files: named } : null;
  }
  if (conflicts !== undefined) return { kind: 'conflict' };
  if (nothing !== undefined) return { kind: 'nothing' };
  if (behind !== undefined) return { kind: 'behind' };
  return checks === undefined ? null : { kind: 'checks' };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
