import { done } from '@attractor/base';
import type { Result } from '@attractor/store';
import { repositoryFolder } from './checked-out.ts';
import { type Commit, type CommitRange, commitsInFiles } from './commits-in-files.ts';
import { git } from './repository.ts';

export type DiffStat = {
  readonly filesChanged: number;
  readonly additions: number;
  readonly deletions: number;
  readonly files: ReadonlyArray<{ readonly path: string; readonly additions: number; readonly deletions: number }>;
};

/** Those after `from`, up to `to`; oldest first. */
export async function readCommits(cwd: string, range: CommitRange): Promise<Result<ReadonlyArray<Commit>>> {
  const shared = repositoryFolder(cwd);
  const inFiles = shared === null ? null : commitsInFiles(shared, range);
  if (inFiles !== null) return done(inFiles);
  const between = `${range.from}..${range.to}`;
  const log = await git(['log', '--reverse', '-z', '--format=%H%n%an%n%s', '--end-of-options', between], { cwd });
  if (!log.ok) return log;
  const entries = log.value.split('\0').filter((entry) => entry !== '');
  return done(
    entries.map((entry) => {
      const [hash = '', author = '', message = ''] = entry.split('\n');
      return { hash, author, message };
    }),
  );
}

/** Lines added and removed between two commits; binary files count as changed with no lines. */
export async function readDiffStat(cwd: string, between: CommitRange): Promise<Result<DiffStat>> {
  const args = ['diff-tree', '-r', '--numstat', '-z', '--no-renames', '--end-of-options', between.from, between.to];
  const diff = await git(args, { cwd });
  if (!diff.ok) return diff;
  const files = diff.value
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      // A name may hold tabs.
      const [additions = '', deletions = '', ...path] = line.split('\t');
      return { path: path.join('\t'), additions: Number(additions) || 0, deletions: Number(deletions) || 0 };
    });
  return done(statOf(files));
}

/** The sums over files. */
export function statOf(files: DiffStat['files']): DiffStat {
  const sum = (field: 'additions' | 'deletions'): number => files.reduce((total, file) => total + file[field], 0);
  return { filesChanged: files.length, additions: sum('additions'), deletions: sum('deletions'), files };
}
