import path from 'node:path';
import { gitFolderOf, runGit, sharedGitFolder } from '@attractor/git';
import type { Checkout } from './converse/agent-port.ts';

/** What git says of a folder; loaded only for who wants to know. */
export async function checkoutHere(folder: string): Promise<Checkout> {
  const asked = await runGit(['config', '--get', 'remote.origin.url'], { cwd: folder });
  return { worktree: worktreeOf(folder), repo: asked.exitCode === 0 ? placeOf(asked.stdout.trim()) : null };
}

/** Git's own name of a worktree that was added to a repository. */
function worktreeOf(folder: string): string | null {
  const gitDir = gitFolderOf(folder);
  if (gitDir === null) return path.dirname(folder) === folder ? null : worktreeOf(path.dirname(folder));
  return [gitDir, null].includes(sharedGitFolder(gitDir)) ? null : path.basename(gitDir);
}

/** `https://host/owner/name.git`, `ssh://git@host/owner/name`, `git@host:owner/name.git`. */
function placeOf(remote: string): Checkout['repo'] {
  const url = /^[a-z+]+:\/\//i.test(remote) ? URL.parse(remote) : URL.parse(`ssh://${remote.replace(':', '/')}`);
  const parts = (url?.pathname ?? '')
    .replace(/\.git\/?$/, '')
    .split('/')
    .filter((part) => part !== '');
  const name = parts.at(-1);
  if (url === null || url.hostname === '' || name === undefined || parts.length < 2) return null;
  return { host: url.hostname, owner: parts.slice(0, -1).join('/'), name };
}
