import { askGit } from './ask-git.ts';
import { type GitPlace, questionOf } from './git-here.ts';

/** What a comparison of git's compares, by its words. `revisions`: commits, tags, `a..b`, `a...b`; `paths`: what limits it. */
export type Comparison = {
  readonly subcommand: 'diff' | 'show' | 'log';
  readonly isCached: boolean;
  /** Options that choose among commits: `-3`. */
  readonly choosing: ReadonlyArray<string>;
  readonly revisions: ReadonlyArray<string>;
  readonly paths: ReadonlyArray<string>;
};

/**
 * The files, from the top, that git would print something of; rather too many than one too few: a file whose times changed counts, and of a
 * file that was renamed both names. Only for a repository that names no program: to tell whether a file that was just written changed, git
 * may run a filter. Null: git can't tell.
 */
export async function filesPrintedByGit(
  place: GitPlace,
  comparison: Comparison,
): Promise<ReadonlyArray<string> | null> {
  const words = wordsOf(comparison);
  if (words === null) return null;
  const answer = await askGit(
    ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', ...words, '--', ...comparison.paths],
    questionOf(place),
    PATIENCE_MS,
  );
  if (answer === null || (answer.exitCode !== 0 && answer.exitCode !== 1)) return null;
  return answer.exitCode === 1 && answer.stderr !== '' ? null : answer.stdout.split('\0').filter((name) => name !== '');
}

const PATIENCE_MS = 5_000;
const NAMES =
  '--name-only -z --no-renames --no-relative --no-color --no-ext-diff --no-textconv --ignore-submodules=all'.split(' ');
const OF_COMMITS = '--format= --root --diff-merges=separate --no-show-signature'.split(' ');

/** Of the working tree the times are looked at, and hardly ever the contents. */
function wordsOf({ subcommand, isCached, choosing, revisions }: Comparison): ReadonlyArray<string> | null {
  if (subcommand === 'log') return ['log', ...NAMES, ...OF_COMMITS, ...choosing, ...revisions];
  if (subcommand === 'show')
    return ['log', '--no-walk=unsorted', ...NAMES, ...OF_COMMITS, ...(revisions.length > 0 ? revisions : ['HEAD'])];
  const isTrees = revisions.length > 1 || revisions.some((word) => word.includes('..'));
  if (isTrees) return isCached ? null : ['diff', ...NAMES, ...revisions];
  if (isCached) return ['diff-index', '--cached', ...NAMES, ...(revisions.length > 0 ? revisions : ['HEAD'])];
  return revisions.length > 0 ? ['diff-index', ...NAMES, ...revisions] : ['diff-files', ...NAMES];
}
