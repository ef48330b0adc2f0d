import type { Artifact } from '@attractor/store';
import type { PullRequest, Scm } from './scm.ts';

/** The artifact's data about a pull request. */
export function metadataOf(request: PullRequest, scm: Scm['type']): Record<string, unknown> {
  const { number, state, headBranch, baseBranch, headCommit, mergedAt, mergeCommit } = request;
  return {
    scm,
    prNumber: number,
    state,
    headBranch,
    baseBranch,
    headCommit,
    ...(mergedAt === null ? {} : { mergedAt }),
    ...(mergeCommit === null ? {} : { mergeCommit }),
  };
}

/** A task's pull request. Null if a person added it by hand without identifying it. */
export function pullRequestOf(
  artifact: Artifact,
): (Pick<PullRequest, 'number' | 'headBranch' | 'baseBranch' | 'headCommit'> & { readonly scm: Scm['type'] }) | null {
  const { prNumber, scm, headBranch, baseBranch, headCommit } = artifact.metadata;
  if (typeof prNumber !== 'number' || typeof headBranch !== 'string' || typeof baseBranch !== 'string') return null;
  return {
    number: prNumber,
    headBranch,
    baseBranch,
    headCommit: typeof headCommit === 'string' ? headCommit : null,
    scm: scm === 'local' ? 'local' : 'gh',
  };
}
