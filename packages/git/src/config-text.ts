import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * The text of all configuration that git reads for the checkout in this very folder, or for the repository that it is told to use, apart
 * from variables. Null wherever git itself has to be asked: it might find another repository than we do, or the text names further files.
 */
export function configText(folder: string, told?: string): string | null {
  const gitDir = told === undefined ? gitFolderOf(folder) : path.resolve(folder, told);
  const common = gitDir === null ? null : sharedGitFolder(gitDir);
  if (gitDir === null || common === null || !isRepository(gitDir, common)) return null;
  const texts = [readPlain(path.join(common, 'config')), readPlain(path.join(gitDir, 'config.worktree'))];
  const text = texts.includes(null) ? null : texts.join('\0');
  return text === null || /include/i.test(text) ? null : text;
}

/** Git's own form, without anything that it would read in another way than we do. */
const GITDIR = /^gitdir: ([^\n\r\0\u{FFFD}]+)\n?$/u;
const COMMONDIR = /^([^\n\r\0\u{FFFD}]+)\n?$/u;
const HEAD = /^(?:ref: refs\/[^\n\0]+|[0-9a-f]{40}|[0-9a-f]{64})\n$/;

/** The repository of the checkout in this very folder; null: git has to be asked. */
export function gitFolderOf(folder: string): string | null {
  const link = path.join(folder, '.git');
  if (isFolder(link)) return link;
  const named = GITDIR.exec(readPlain(link) ?? '')?.[1];
  return named === undefined ? null : path.resolve(folder, named);
}

/** The folder that all worktrees of a repository share; null: git has to be asked. */
export function sharedGitFolder(gitDir: string): string | null {
  const text = readPlain(path.join(gitDir, 'commondir'));
  if (text === '') return gitDir;
  const named = COMMONDIR.exec(text ?? '')?.[1];
  return named === undefined ? null : path.resolve(gitDir, named);
}

/** What git wants of a repository; it looks further up where this is missing. */
function isRepository(gitDir: string, common: string): boolean {
  const hasHead = HEAD.test(readPlain(path.join(gitDir, 'HEAD')) ?? '');
  return hasHead && ['objects', 'refs'].every((name) => isFolder(path.join(common, name)));
}

function isFolder(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

const MOST_BYTES = 1 << 16;
/** Never waits for a pipe, and follows no link. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Empty if there is no such file; null if it is something else than a file of moderate size, or can't be read. */
function readPlain(file: string): string | null {
  try {
    const opened = openSync(file, FLAGS);
    try {
      const stats = fstatSync(opened);
      return stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(opened, 'utf8') : null;
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? '' : null;
  }
}
