import { constants, copyFileSync, lstatSync, mkdirSync, realpathSync, statSync, chmodSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { done, failed, messageOf, type Result } from '@attractor/base';
import { runGit } from './run-git.ts';

const MAX_FILES = 1000;
const MAX_BYTES = 100 * 1024 * 1024;

export type Included = {
  readonly copied: ReadonlyArray<string>;
  /** Files that match the patterns and were not copied, with the reason. */
  readonly left: ReadonlyArray<string>;
};

type Including = {
  /** The checkout that they are in. */
  readonly root: string;
  readonly worktree: string;
  /** The text of `.worktreeinclude`. */
  readonly patterns: string;
  /** Folders of worktrees: nothing in them is copied. */
  readonly except?: ReadonlyArray<string>;
};

/**
 * Copies files that git ignores, such as `.env`, from the checkout into a worktree: those that match the patterns of `.worktreeinclude`
 * (git itself matches them, as in `.gitignore`), if they are ignored, untracked and plain files. Existing files in the worktree stay as
 * they are. Nothing is read or written through a link.
 */
export async function includeFiles({ root, worktree, patterns, except = [] }: Including): Promise<Result<Included>> {
  const named = await matchedFiles(root, patterns);
  if (!named.ok) return named;
  const copied: string[] = [];
  const left: string[] = [];
  let bytes = 0;
  const isOurs = (name: string): boolean => except.some((folder) => join(root, name).startsWith(folder + sep));
  for (const name of named.value.filter((one) => !isOurs(one))) {
    const reason = copied.length >= MAX_FILES ? `more than ${MAX_FILES} files` : sourceProblem(root, name);
    const size = reason === null ? statSync(join(root, name)).size : 0;
    const problem = reason ?? (bytes + size > MAX_BYTES ? `more than ${MAX_BYTES >> 20} MB` : null);
    const verdict = problem ?? copyInto({ from: join(root, name), worktree, name });
    if (verdict === null) {
      copied.push(name);
      bytes += size;
    } else if (verdict !== 'there') left.push(`${name} (${verdict})`);
  }
  return done({ copied, left });
}

/** What a person trusted of a repository, or did not. */
type TrustedFiles = {
  readonly root: string;
  readonly state: 'trusted' | 'unknown' | 'changed';
  readonly files: ReadonlyArray<{ readonly path: string; readonly content: string }>;
};

/** The same for a checkout of one agent, by a `.worktreeinclude` that is trusted. What is not copied: a line each. */
export async function includeTrusted(
  worktree: string,
  trust: TrustedFiles | undefined,
  admit: (folder: string) => () => void,
): Promise<ReadonlyArray<string>> {
  const patterns = trust?.files.find(({ path }) => path === '.worktreeinclude')?.content;
  if (trust === undefined || patterns === undefined) return [];
  if (trust.state !== 'trusted') return ['.worktreeinclude is not obeyed: the repository is not trusted as it is.'];
  const admitted = admit(worktree);
  try {
    const included = await includeFiles({ root: trust.root, worktree, patterns, except: [dirname(worktree)] });
    return included.ok ? included.value.left.map((file) => `not copied: ${file}`) : [included.error.message];
  } finally {
    admitted();
  }
}

async function matchedFiles(root: string, patterns: string): Promise<Result<ReadonlyArray<string>>> {
  const scratch = await mkdtemp(join(tmpdir(), 'attractor-include-'));
  try {
    const file = join(scratch, 'patterns');
    await writeFile(file, patterns);
    const options = { cwd: root, maxOutputBytes: 4 << 20 };
    const listed = await runGit(['ls-files', '--others', '--ignored', `--exclude-from=${file}`, '-z'], options);
    if (listed.exitCode !== 0) return unavailable(`.worktreeinclude could not be matched: ${listed.stderr.trim()}`);
    if (listed.truncated) return unavailable('.worktreeinclude names too many files: name fewer.');
    if (listed.stdout === '') return done([]);
    const ignored = await runGit(['check-ignore', '-z', '--stdin'], { ...options, stdin: listed.stdout });
    return done(ignored.stdout.split('\0').filter((name) => name !== ''));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function unavailable(message: string): Result<never> {
  return failed({ code: 'unavailable', message, retryable: true });
}

/** A link, a pipe or a folder is not a plain file; neither is anything behind a link. */
function sourceProblem(root: string, name: string): string | null {
  const file = join(root, name);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return 'gone';
  if (!stats.isFile()) return 'no plain file';
  return isPlace(root, dirname(file)) ? null : 'behind a link';
}

type Copy = { readonly from: string; readonly worktree: string; readonly name: string };

/** Null: copied. `there`: the worktree already has one. Otherwise why not. */
function copyInto({ from, worktree, name }: Copy): string | null {
  const to = join(worktree, name);
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return 'there';
  try {
    makeFolders(worktree, dirname(name));
    if (!isPlace(worktree, dirname(to))) return 'a link of the branch is in the way';
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    chmodSync(to, statSync(from).mode & 0o777);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** One at a time, so that none is made behind a link. */
function makeFolders(root: string, folder: string): void {
  let at = root;
  for (const part of folder.split(sep).filter((step) => step !== '.' && step !== '')) {
    at = join(at, part);
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined) mkdirSync(at);
    else if (!stats.isDirectory()) throw new Error(`${part} is in the way`);
  }
}

/** Whether the folder is where its path says, without a link on the way from the root. */
function isPlace(root: string, folder: string): boolean {
  const real = realpathSync(root);
  return realpathSync(folder) === join(real, folder.slice(root.length));
}
