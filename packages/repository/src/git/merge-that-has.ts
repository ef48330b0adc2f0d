import { isAncestor } from './commits.ts';
import { git, type Repository } from './repository.ts';

type Contained = {
  readonly commit: string;
  readonly tip: string;
  /** Absent: every commit counts as work. */
  readonly own?: ReadonlySet<string> | undefined;
};

/**
 * How a branch came to have a commit: by the merge that is named, or by itself where the branch was moved forward to it. Null if it lacks
 * the commit. Null as well for one of the branch's own commits, which a branch without work of its own points at: that brought nothing.
 */
export async function mergeThatHas(repository: Repository, { commit, tip, own }: Contained): Promise<string | null> {
  if (!(await isAncestor(repository, commit, tip))) return null;
  const since = async (...how: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const listed = await git(['rev-list', ...how, `${commit}..${tip}`], { cwd: repository.root });
    return listed.ok ? listed.value.split('\n') : [];
  };
  const line = new Set(await since('--first-parent', '--parents', '--reverse'));
  const later = new Set(await since('--ancestry-path'));
  const [oldest = commit, before = commit] =
    [...line].map((row) => row.split(' ')).find(([one = '']) => later.has(one)) ?? [];
  if (before !== commit) return oldest;
  return own === undefined || own.has(commit) ? commit : null;
}
