import path from 'node:path';
import { askGit, type GitAnswer, type GitQuestion } from './ask-git.ts';

/** One line of configuration. `scope` as git names it: system, global, local, worktree, command. `value` null: none was written. */
export type GitSetting = {
  readonly scope: string;
  /** The file as git names it: relative to the top of the working tree for some. Null: no file. */
  readonly file: string | null;
  readonly key: string;
  readonly value: string | null;
};

/** The repository that git uses in a folder; all paths absolute. `top` is null where there is no working tree around the folder. */
export type GitRepository = {
  readonly gitDir: string;
  readonly commonDir: string;
  readonly hooks: string;
  readonly index: string;
  readonly alternates: string;
  readonly top: string | null;
};

/** `repository` null: git finds none. `settings` in the order in which git reads them: the last one of a key counts. */
export type Obeyed = {
  readonly repository: GitRepository | null;
  readonly settings: ReadonlyArray<GitSetting>;
};

/**
 * What git obeys in a folder: the repository it finds and every setting it reads, as git itself tells. Who looks for `.git`, `gitdir:`,
 * `commondir` or `[include]` by other rules than git's is led to another place by a repository that is made for it. Null: git gave no
 * answer that can be relied on.
 */
export async function whatGitObeys(question: GitQuestion): Promise<Obeyed | null> {
  const [places, listed] = await Promise.all([askGit(['rev-parse', ...PLACES], question), askGit(LIST, question)]);
  if (places === null || listed === null || listed.exitCode !== 0) return null;
  const settings = readSettings(listed.stdout);
  if (settings === null) return null;
  if (places.exitCode !== 0 && NO_REPOSITORY.test(places.stderr))
    return settings.some(isOfRepository) ? null : { repository: null, settings };
  const repository = readPlaces(places, question.folder);
  return repository === null ? null : { repository, settings };
}

/** The repository's author wrote it, not the person who works here. */
export function isOfRepository({ scope }: GitSetting): boolean {
  return !PERSONAL.has(scope);
}

const PERSONAL: ReadonlySet<string> = new Set(['system', 'global', 'command']);

/** The top comes last: where there is no working tree, git ends there. */
const PLACES =
  '--is-inside-work-tree --absolute-git-dir --git-common-dir --git-path hooks --git-path index --git-path objects/info/alternates --show-toplevel'.split(
    ' ',
  );
const LIST = ['config', '--list', '--show-scope', '--show-origin', '-z'];
const NO_REPOSITORY = /^fatal: not a git repository \(or any /m;

/** One answer per line. A path with a line feed makes more of them, and then nothing is known. */
function readPlaces({ stdout, exitCode }: GitAnswer, folder: string): GitRepository | null {
  const lines = stdout.split('\n');
  if (lines.pop() !== '' || stdout.includes(NOT_UTF8)) return null;
  const isInTree = lines.shift();
  const [gitDir, commonDir, hooks, index, alternates, top, ...more] = lines.map((line) => path.resolve(folder, line));
  if (gitDir === undefined || commonDir === undefined || hooks === undefined || index === undefined) return null;
  if (alternates === undefined || more.length > 0) return null;
  const isWhole = top === undefined ? isInTree === 'false' : exitCode === 0;
  return isWhole ? { gitDir, commonDir, hooks, index, alternates, top: top ?? null } : null;
}

/** `scope NUL origin NUL key LF value NUL`, without the LF where there is no value. */
function readSettings(listed: string): ReadonlyArray<GitSetting> | null {
  const fields = listed.split('\0');
  if (fields.pop() !== '' || fields.length % 3 !== 0) return null;
  return Array.from({ length: fields.length / 3 }, (_, at) => {
    const [scope = '', origin = '', entry = ''] = fields.slice(at * 3, at * 3 + 3);
    const end = entry.indexOf('\n');
    return {
      scope,
      file: origin.startsWith('file:') ? origin.slice('file:'.length) : null,
      key: end < 0 ? entry : entry.slice(0, end),
      value: end < 0 ? null : entry.slice(end + 1),
    };
  });
}

/** The folders of submodules, by the index: git goes into each that is checked out, named in `.gitmodules` or not. Null: not known. */
export async function submodulesOf(
  { top }: Pick<GitRepository, 'top'>,
  question: GitQuestion,
): Promise<ReadonlyArray<string> | null> {
  if (top === null) return [];
  const listed = await askGit(ENTRIES, question);
  if (listed === null || listed.exitCode !== 0) return null;
  if (!listed.stdout.includes('160000 ')) return [];
  const named = listed.stdout.split('\0').flatMap((entry) => SUBMODULE.exec(entry)?.[1] ?? []);
  return named.some((name) => name.includes(NOT_UTF8)) ? null : named.map((name) => path.join(top, name));
}

const ENTRIES = ['-c', 'core.fsmonitor=false', 'ls-files', '--stage', '--full-name', '-z', '--', ':/'];
const SUBMODULE = /^160000 [0-9a-f]+ \d\t(.+)$/s;
/** Bytes that are no text: where such a path leads can't be looked up by its name. */
const NOT_UTF8 = '\u{FFFD}';
