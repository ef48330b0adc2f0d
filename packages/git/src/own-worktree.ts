import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { done, failed, messageOf, type Result } from '@attractor/base';
import { runGit } from './run-git.ts';

/** A checkout for one agent, from the last commit and on a branch of its own. Nothing that the agent did in it is ever removed. */
export type OwnWorktree = {
  readonly path: string;
  /** Removes it if nothing was changed in it; otherwise it stays, and the line says where. */
  readonly end: () => Promise<string | null>;
};

export type WorktreeSource = {
  /** The session's. */
  readonly folder: string;
  /** Has programs told that make and remove worktrees in git's place. */
  readonly fire: (
    event: 'WorktreeCreate' | 'WorktreeRemove',
    about: Readonly<Record<string, string>>,
  ) => Promise<{ readonly worktreePath: string | null; readonly block: string | null }>;
  /** Whether a hook makes worktrees. `anywhere`: one that may name any folder, because a person wrote it in their own files. */
  readonly hook: 'none' | 'inside' | 'anywhere';
  /** Told before files appear in a folder that the session's commands are watched in; the answer is called once they are there. */
  readonly admit: (folder: string) => () => void;
};

const FOLDER = '.agent-worktrees';

/** Made by a hook if there is one, otherwise by git. */
export async function makeOwnWorktree(source: WorktreeSource): Promise<Result<OwnWorktree>> {
  const name = `agent-${randomUUID().slice(0, 8)}`;
  const made = source.hook === 'none' ? await makeByGit(source, name) : await makeByHook(source, name);
  return made.ok ? done(worktreeAt(source, made.value)) : made;
}

/** One that an earlier process made. */
export function knownOwnWorktree(source: WorktreeSource, at: string): Result<OwnWorktree> {
  if (statSync(at, { throwIfNoEntry: false })?.isDirectory() !== true) return refused(`its worktree ${at} is gone`);
  return done(worktreeAt(source, at));
}

async function makeByGit({ folder, admit }: WorktreeSource, name: string): Promise<Result<string>> {
  const head = await runGit(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: folder });
  if (head.exitCode !== 0) return refused(`${folder} is not in a git repository that has a commit`);
  const base = path.join(realpathSync(folder), FOLDER);
  if (lstatSync(base, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    return refused(`${base} is a link: remove it, nothing is written through one`);
  const at = path.join(base, name);
  const admitted = admit(at);
  try {
    mkdirSync(base, { recursive: true });
    hideFromGit(base);
    const branch = ['--no-track', '-b', branchOf(name), at, head.stdout.trim()];
    const added = await runGit(['worktree', 'add', '--quiet', ...branch], { cwd: folder });
    return added.exitCode === 0 ? done(at) : refused(added.stderr.trim());
  } catch (error) {
    return refused(messageOf(error));
  } finally {
    admitted();
  }
}

function branchOf(name: string): string {
  return `worktree-${name}`;
}

function hideFromGit(base: string): void {
  try {
    writeFileSync(path.join(base, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // It is there already.
  }
}

async function makeByHook({ folder, fire, hook }: WorktreeSource, name: string): Promise<Result<string>> {
  const { worktreePath, block } = await fire('WorktreeCreate', { name });
  if (worktreePath === null) return refused(block ?? 'the WorktreeCreate hook named no folder');
  if (!path.isAbsolute(worktreePath) || statSync(worktreePath, { throwIfNoEntry: false })?.isDirectory() !== true)
    return refused(`the WorktreeCreate hook named ${worktreePath}, which is not the absolute path of a folder`);
  const [at, root] = [realpathSync(worktreePath), realpathSync(folder)];
  if (isInside(at, root)) return refused(`the WorktreeCreate hook named ${at}, which holds the session's own folder`);
  if (hook === 'inside' && !isInside(root, at))
    return refused(`a repository's WorktreeCreate hook may name a folder in ${root} alone, not ${at}`);
  return done(at);
}

function isInside(folder: string, at: string): boolean {
  const way = path.relative(folder, at);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

function refused(message: string): {
  readonly ok: false;
  readonly error: { code: string; message: string; retryable: boolean };
} {
  return failed({
    code: 'no_worktree',
    message: `It could not be given a worktree of its own: ${message}.`,
    retryable: false,
  });
}

function worktreeAt(source: WorktreeSource, at: string): OwnWorktree {
  return {
    path: at,
    end: async () => {
      const branch = (await runGit(['symbolic-ref', '--quiet', '--short', 'HEAD'], { cwd: at })).stdout.trim();
      if (!(await isUnchanged(source, { at, branch }))) return leftAt(at, branch);
      await source.fire('WorktreeRemove', { worktree_path: at });
      return source.hook === 'none' ? removed(source, { at, branch }) : null;
    },
  };
}

function leftAt(at: string, branch: string): string {
  return `[Its changes are in the worktree ${at}${branch === '' ? '' : `, on the branch ${branch}`}.]`;
}

type Checkout = { readonly at: string; readonly branch: string };

/** Nothing uncommitted, and no commit that is nowhere else. What git can't tell counts as changed. */
async function isUnchanged({ folder }: WorktreeSource, { at, branch }: Checkout): Promise<boolean> {
  const status = await runGit(['status', '--porcelain', '--untracked-files=all'], { cwd: at });
  if (status.exitCode !== 0 || status.stdout !== '') return false;
  const head = await runGit(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: folder });
  const others = [head.stdout.trim(), ...(branch === '' ? [] : [`--exclude=${branch}`]), '--branches', '--remotes'];
  const own = await runGit(['rev-list', '--count', 'HEAD', '--not', ...others.filter(Boolean)], { cwd: at });
  return own.exitCode === 0 && own.stdout.trim() === '0';
}

async function removed({ folder }: WorktreeSource, { at, branch }: Checkout): Promise<string | null> {
  const gone = await runGit(['worktree', 'remove', '--force', at], { cwd: folder });
  if (gone.exitCode !== 0) return leftAt(at, branch);
  rmSync(at, { recursive: true, force: true });
  if (branch !== '') await runGit(['branch', '--quiet', '-D', branch], { cwd: folder });
  return null;
}
