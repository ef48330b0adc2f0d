import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { done, messageOf } from '@attractor/base';
import { refuse, type Result } from '@attractor/store';
import type { Repository } from '../git/repository.ts';

/** Makes git ignore a folder of the repository, given from its top. Nothing is written through a link, and no existing line is changed. */
export function excludeFromGit({ gitFolder }: Repository, folder: string): Result<null> {
  const line = `/${folder}/`;
  const info = join(gitFolder, 'info');
  const file = join(info, 'exclude');
  if (textOf(file).split('\n').includes(line)) return done(null);
  try {
    mkdirSync(info, { recursive: true });
    if (!lstatSync(info).isDirectory()) return refuse('unavailable', inTheWay(info, line));
    appendLine(file, line);
    return done(null);
  } catch (error) {
    return refuse('unavailable', inTheWay(messageOf(error), line));
  }
}

/** For projects that opt in: everybody's git then ignores the folder. Best effort: the exclusion above works anyway. */
export function excludeInGitignore({ root }: Repository, folder: string): void {
  const file = join(root, '.gitignore');
  const lines = textOf(file)
    .split('\n')
    .map((line) => line.trim());
  if (lines.some((line) => line === `${folder}/` || line === `/${folder}/` || line === folder)) return;
  try {
    appendLine(file, `# Worktrees of agents\n${folder}/`);
  } catch {
    // A link or a folder in its place is left alone.
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The file itself: neither a symlink, nor a hard link, nor a pipe. */
function appendLine(file: string, line: string): void {
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(file, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o644);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.nlink !== 1) throw new Error(`${file} is not a file of its own`);
    const text = readFileSync(fd, 'utf8');
    writeSync(fd, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
  } finally {
    closeSync(fd);
  }
}

function inTheWay(what: string, line: string): string {
  return `Git can't be told to ignore worktrees (${what}): add the line ${line} to the repository's info/exclude yourself.`;
}
