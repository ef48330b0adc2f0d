import { type GitResult, runGit } from '@attractor/git';
import { repositoryFolder } from '../git/checked-out.ts';
import { commitsInFiles } from '../git/commits-in-files.ts';
import { readCommit } from '../git/files-of-git.ts';

export type PatchRange = {
  readonly from: string;
  readonly to: string;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
};

export type Patch = Pick<GitResult, 'exitCode' | 'stdout' | 'stderr' | 'truncated'>;

/** Several steps of a run ask one after another. */
const MOST_KEPT = 16;
const LONGEST_KEPT = 64 * 1024;
const FULL_HASH = /^[0-9a-f]{40,64}$/;

const kept = new Map<string, string>();

/** What two commits differ by. A file that was moved is one that goes and one that comes. */
export async function readPatch(cwd: string, { from, to, maxBytes, signal }: PatchRange): Promise<Patch> {
  const key = FULL_HASH.test(from) && FULL_HASH.test(to) ? `${cwd} ${from} ${to}` : null;
  const known = key === null ? undefined : kept.get(key);
  if (known !== undefined && known.length <= maxBytes)
    return { exitCode: 0, stdout: known, stderr: '', truncated: false };
  const read = await runGit(['diff-tree', '-r', '-p', '--no-renames', '--unified=3', '--end-of-options', from, to], {
    cwd,
    maxOutputBytes: maxBytes,
    config: { 'core.quotePath': 'false' },
    ...(signal === undefined ? {} : { signal }),
  });
  if (key !== null && read.exitCode === 0 && !read.truncated && read.stdout.length <= LONGEST_KEPT)
    keep(key, read.stdout);
  return read;
}

function keep(key: string, patch: string): void {
  kept.set(key, patch);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) return;
    kept.delete(oldest);
  }
}

/** What the only commit between the two says of itself. Null: there are others, or git's files do not tell. */
export function messageOfOnly(cwd: string, { from, to }: Pick<PatchRange, 'from' | 'to'>): string | null {
  const folder = repositoryFolder(cwd);
  if (folder === null || commitsInFiles(folder, { from, to })?.length !== 1) return null;
  const commit = readCommit(folder, to);
  return commit === null ? null : commit.slice(commit.indexOf('\n\n') + 2);
}
