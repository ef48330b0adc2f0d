import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runGit } from '@attractor/git';

/**
 * Where names and ignore rules are relative to. `root` is the top of the person's repository, so that ignore files above the workspace
 * apply as well; it is the workspace itself if there is no repository or the repository ignores the whole workspace.
 */
export type Roots = {
  readonly root: string;
  /** The workspace below the root: '' or 'packages/a/'. */
  readonly prefix: string;
  /** The repository's own list of ignored names outside its files, if it has one. */
  readonly excludeFile: string | null;
};

const MAX_EXCLUDE_BYTES = 1 << 20;

export async function findRoots(workspace: string): Promise<Roots> {
  const top = repositoryTop(workspace);
  if (top === null) return { root: workspace, prefix: '', excludeFile: null };
  const excludeFile = await excludeFileOf(top);
  if (top === workspace) return { root: top, prefix: '', excludeFile };
  const prefix = `${path.relative(top, workspace)}/`;
  return (await ignores(top, workspace))
    ? { root: workspace, prefix: '', excludeFile: null }
    : { root: top, prefix, excludeFile };
}

/** The text of the exclude file. Only a plain file of ordinary size is read: a repository may have put anything there. */
export function readExcludes(file: string | null): string {
  if (file === null) return '';
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size <= MAX_EXCLUDE_BYTES ? readFileSync(file, 'latin1') : '';
}

function repositoryTop(workspace: string): string | null {
  for (let folder = workspace; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    if (folder === path.dirname(folder)) return null;
  }
}

async function excludeFileOf(top: string): Promise<string | null> {
  const asked = await runGit(['rev-parse', '--git-path', 'info/exclude'], { cwd: top, safeDirectory: '*' });
  return asked.exitCode === 0 ? path.resolve(top, asked.stdout.replace(/\n$/, '')) : null;
}

async function ignores(top: string, workspace: string): Promise<boolean> {
  const asked = await runGit(['check-ignore', '--no-index', '--quiet', '--', workspace], {
    cwd: top,
    safeDirectory: '*',
  });
  return asked.exitCode === 0;
}
