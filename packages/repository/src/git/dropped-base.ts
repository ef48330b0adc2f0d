import type { GitPerson } from '@attractor/git';
import type { Result } from '@attractor/store';
import { isAncestor, mergeBaseOf, mergeTrees, type TreeMerge } from './commits.ts';
import { git, type Repository } from './repository.ts';

/** Each commit of a base that work began from has such a ref, until its task has ended. */
export function beganRef(taskId: string, { baseBranch, base }: { readonly baseBranch: string; readonly base: string }) {
  return `refs/attractor/remote/${taskId}/began/${base.slice(0, 12)}/${baseBranch}`;
}

type Work = {
  readonly repository: Repository;
  readonly baseBranch: string;
  /** What the base is now. */
  readonly tip: string;
  readonly head: string;
  /** Commits that are known as work: a person may have put them on the base, and taken them away again. */
  readonly own?: ReadonlySet<string> | undefined;
};

/**
 * The commit of the base that work began from, if the base no longer has it: somebody rewrote its history meanwhile. What is between that
 * commit and the base is no part of the work, and must not come back with it. Null where nothing was rewritten, or where it is not known.
 */
export async function droppedBase({ repository, baseBranch, tip, head, own }: Work): Promise<string | null> {
  const pattern = `refs/attractor/remote/*/began/*/${baseBranch}`;
  const flags = ['--format=%(objectname)', `--merged=${head}`, `--no-merged=${tip}`];
  const listed = await git(['for-each-ref', ...flags, pattern], { cwd: repository.root });
  const found = listed.ok ? new Set(listed.value.split('\n').filter((line) => line !== '')) : new Set<string>();
  const bases = [...found].filter((commit) => commit !== head && own?.has(commit) !== true);
  if (bases.length === 0) return null;
  // The last of them has the others; what was brought up to date since stands on the base of now.
  const last = await git(['merge-base', '--independent', ...bases], { cwd: repository.root });
  const began = last.ok ? (last.value.split('\n')[0] ?? null) : null;
  const apart = began === null ? null : await mergeBaseOf(repository, head, tip);
  return began === null || (apart !== null && !(await isAncestor(repository, apart, began))) ? null : began;
}

type Parts = {
  readonly began: string;
  readonly onto: string;
  readonly from: string;
  readonly author: GitPerson;
};

/** As `mergeTrees`, of what led from `began` to `from` and nothing before it. */
export async function mergeSince(repository: Repository, parts: Parts): Promise<Result<TreeMerge>> {
  const side = (commit: string, parents: ReadonlyArray<string>) => {
    const args = ['commit-tree', `${commit}^{tree}`, ...parents.flatMap((parent) => ['-p', parent]), '-m', 'side'];
    return git(args, { cwd: repository.root, author: parts.author });
  };
  const root = await side(parts.began, []);
  if (!root.ok) return root;
  const [onto, from] = [await side(parts.onto, [root.value]), await side(parts.from, [root.value])];
  if (!onto.ok) return onto;
  return from.ok ? mergeTrees(repository, onto.value, from.value) : from;
}
