import { readdirSync } from 'node:fs';
import path from 'node:path';
import { askGit, type GitQuestion } from './ask-git.ts';
import { type GitPlace, questionOf } from './git-here.ts';
import { rememberWhileUnchanged } from './unchanged.ts';
import type { GitRepository } from './what-git-obeys.ts';

/**
 * Every file that a repository knows, from its top: of its index and of all commits that a ref, a reflog or one of `revisions` leads to.
 * Null: git can't tell, or not soon enough.
 */
export async function filesKnownToGit(
  repository: GitRepository,
  place: GitPlace,
  revisions: ReadonlyArray<string>,
): Promise<ReadonlyArray<string> | null> {
  const question = questionOf(place);
  return remembered(JSON.stringify([repository.commonDir, repository.gitDir, revisions]), async () => ({
    value: await askFor(question, revisions),
    files: groundsOf(repository),
  }));
}

/** What `git ls-files` with these words prints in a folder, name by name. Null: git can't tell. */
export async function filesListedByGit(
  words: ReadonlyArray<string>,
  place: GitPlace,
): Promise<ReadonlyArray<string> | null> {
  const answer = await askGit(
    ['-c', 'core.fsmonitor=false', 'ls-files', '-z', ...words],
    questionOf(place),
    PATIENCE_MS,
  );
  return answer?.exitCode === 0 ? answer.stdout.split('\0').filter((name) => name !== '') : null;
}

/** What a word names in a repository: `commit`, `tree`, `blob`, `tag`; null if nothing. */
export async function kindOfObject(word: string, place: GitPlace): Promise<string | null> {
  if (word.startsWith('-')) return null;
  const kind = await firstLine(['cat-file', '-t', word], place);
  if (kind !== null) return kind;
  // `:/words` is a commit to all commands but this one.
  const object = await firstLine(['rev-parse', '--verify', '--quiet', word], place);
  return object === null ? null : firstLine(['cat-file', '-t', object], place);
}

async function firstLine(words: ReadonlyArray<string>, place: GitPlace): Promise<string | null> {
  const answer = await askGit(words, questionOf(place));
  return answer?.exitCode === 0 ? answer.stdout.trim() : null;
}

const remembered = rememberWhileUnchanged<ReadonlyArray<string> | null>();

/** A history that takes longer is not looked through. */
const PATIENCE_MS = 5_000;

/** Settings that would leave names out are overridden; names alone make git run no program. */
const NAMES =
  '--no-pager log --all --reflog --root --diff-merges=separate --no-renames --no-relative --format= --name-only -z --no-color --no-ext-diff --no-textconv --no-show-signature --ignore-submodules=none'.split(
    ' ',
  );
const INDEX = ['-c', 'core.fsmonitor=false', 'ls-files', '--full-name', '-z', '--', ':/'];

async function askFor(question: GitQuestion, revisions: ReadonlyArray<string>): Promise<ReadonlyArray<string> | null> {
  const [history, index] = await Promise.all([
    askGit([...NAMES, ...revisions, '--'], question, PATIENCE_MS),
    askGit(INDEX, question, PATIENCE_MS),
  ]);
  // A repository without a commit has no history to ask about.
  const isEmpty = history !== null && /does not have any commits yet/.test(history.stderr);
  if (history === null || (history.exitCode !== 0 && !isEmpty)) return null;
  if (index === null || index.exitCode !== 0) return null;
  const names = new Set([...history.stdout.split('\0'), ...index.stdout.split('\0')]);
  names.delete('');
  return [...names];
}

/** A commit changes a ref's folder, or the list of packed ones. */
function groundsOf({ gitDir, commonDir, index }: GitRepository): ReadonlyArray<string> {
  const files = [index, ...['HEAD', 'logs/HEAD', 'shallow'].map((name) => path.join(gitDir, name))];
  const shared = ['packed-refs', 'reftable', 'logs/refs/stash'].map((name) => path.join(commonDir, name));
  return [
    ...files,
    ...shared,
    ...foldersBelow(path.join(commonDir, 'refs')),
    ...foldersBelow(path.join(gitDir, 'refs')),
  ];
}

function foldersBelow(folder: string): ReadonlyArray<string> {
  try {
    const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [folder, ...below.flatMap(({ name }) => foldersBelow(path.join(folder, name)))];
  } catch {
    return [folder];
  }
}
