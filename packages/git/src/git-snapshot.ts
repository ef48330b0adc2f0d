import { statSync } from 'node:fs';
import path from 'node:path';
import { runGit } from './run-git.ts';

export type GitSnapshot = {
  readonly root: string | null;
  readonly branch: string | null;
  readonly status: string | null;
  readonly log: string | null;
};

const NO_GIT: GitSnapshot = { root: null, branch: null, status: null, log: null };
const TIMEOUT_MS = 5_000;
const MAX_LINES = 40;
const MAX_LINE_LENGTH = 200;

/** What git reports about a folder when a session begins. An answer that git can't give is null, and none is required. */
export async function takeGitSnapshot(folder: string): Promise<GitSnapshot> {
  const root = gitRootOf(folder);
  if (root === null) return NO_GIT;
  const options = { cwd: folder, timeoutMs: TIMEOUT_MS };
  const [status, log] = await Promise.all([
    runGit(['status', '--short', '--branch'], options),
    runGit(['log', '--oneline', '-10'], options),
  ]);
  const [head = '', ...changes] = status.stdout.trimEnd().split('\n');
  return {
    root,
    branch: status.exitCode === 0 ? branchOf(head) : null,
    status: status.exitCode === 0 ? shorten(changes) : null,
    log: log.exitCode === 0 ? shorten(log.stdout.trim().split('\n')) : null,
  };
}

/** The nearest folder upwards with a `.git`, found without running anything. */
function gitRootOf(folder: string): string | null {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (isThere(path.join(at, '.git'))) return at;
    if (at === path.dirname(at)) return null;
  }
}

/** What may not be accessed counts as missing. */
function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** `## main...origin/main [ahead 1]`, `## No commits yet on main`, `## HEAD (no branch)`. */
function branchOf(head: string): string | null {
  const name = head.replace(/^## (?:No commits yet on )?/, '').split('...', 1)[0] ?? '';
  return name === '' || name.startsWith('HEAD (no branch)') ? null : (name.split(' ', 1)[0] ?? null);
}

function shorten(lines: ReadonlyArray<string>): string {
  const more = lines.length - MAX_LINES;
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => (line.length <= MAX_LINE_LENGTH ? line : `${line.slice(0, MAX_LINE_LENGTH)}…`));
  return (more <= 0 ? shown : [...shown, `(and ${more} more)`]).join('\n');
}
