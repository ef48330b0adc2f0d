import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { done } from '@attractor/base';
import { runGit } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';
import { knownRepository, rememberRepository } from './known-repository.ts';
import { git, type Repository } from './repository.ts';
import { chosenFolder } from './worktrees-folder.ts';

/** `worktreesPath` as in the project's settings. */
export async function openRepository(
  path: string,
  { worktreesPath }: { readonly worktreesPath?: string | undefined } = {},
): Promise<Result<Repository>> {
  if (!isAbsolute(path)) return refuse('invalid', `The path of a project must be absolute, but "${path}" is not.`);
  if (/\p{Cc}/u.test(path))
    return refuse(
      'invalid',
      `The path ${JSON.stringify(path)} holds a line break or a control character: rename the folder.`,
    );
  if (!existsSync(path)) return refuse('invalid', notThere(path));
  const found = knownRepository(path);
  const repository = found === null ? await askedRepository(path) : done(found);
  if (!repository.ok || worktreesPath === undefined) return repository;
  const worktrees = chosenFolder(repository.value, worktreesPath);
  return worktrees.ok ? done({ ...repository.value, worktrees: worktrees.value }) : worktrees;
}

async function askedRepository(path: string): Promise<Result<Repository>> {
  const asked = await runGit([...PLACES, ...FIRST_COMMIT], { cwd: path });
  const places = asked.stdout.trimEnd().split('\n');
  const head = asked.exitCode === 0 ? places.pop() : undefined;
  const [common = '', ...top] = places;
  if (top.length === 0) return refuse('invalid', await whyNoCheckout(path, asked.stderr.trim()));
  if (head === undefined && !(await hasBranch(path)))
    return refuse('invalid', `${path} has no commit yet: make a first commit, then add it.`);
  const root = realOr(top.join('\n'));
  const gitFolder = realOr(isAbsolute(common) ? common : join(path, common));
  // It may be removed at any moment.
  if (root === null || gitFolder === null) return refuse('invalid', notThere(path));
  if (!(await isKnownBack(root)))
    return refuse(
      'invalid',
      `${join(root, '.git')} leads to a repository that does not know this folder: it was tampered with or copied. Clone the repository again, or run "git worktree repair".`,
    );
  rememberRepository(path, { root, gitFolder });
  return done({ root, gitFolder });
}

/** The commit comes last: without one git ends there, and has named the places before. */
const PLACES = ['rev-parse', '--git-common-dir', '--show-toplevel'];
const FIRST_COMMIT = ['--verify', '--quiet', 'HEAD^{commit}'];

/** A checkout on a branch without commits is fine as long as there are other branches to start from. */
async function hasBranch(path: string): Promise<boolean> {
  const branches = ['for-each-ref', '--count=1', '--format=%(refname)', 'refs/heads', 'refs/remotes'];
  const branch = await git(branches, { cwd: path });
  return branch.ok && branch.value !== '';
}

async function whyNoCheckout(path: string, said: string): Promise<string> {
  const bare = await git(['rev-parse', '--is-bare-repository'], { cwd: path });
  return (bare.ok && bare.value === 'true') || looksBare(path)
    ? `${path} is a bare repository, without files to work on: clone it ("git clone ${path}"), and give the folder of the clone.`
    : notARepository(path, said);
}

/** Git is told to obey no bare repository that it happens to be in, and then says that there is none. */
function looksBare(path: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(path, name)));
}

/** A checkout whose `.git` is a file names its repository; that repository must name the checkout too (as a worktree or a submodule). */
async function isKnownBack(root: string): Promise<boolean> {
  if (lstatSync(join(root, '.git'), { throwIfNoEntry: false })?.isFile() !== true) return true;
  const folder = await git(['rev-parse', '--absolute-git-dir'], { cwd: root });
  if (!folder.ok) return false;
  const linked = await readFile(join(folder.value, 'gitdir'), 'utf8').catch(() => null);
  if (linked !== null) return samePlace(dirname(linked.trim()), root);
  const named = await git(['config', '--file', join(folder.value, 'config'), 'core.worktree'], { cwd: root });
  return named.ok && samePlace(resolve(folder.value, named.value), root);
}

function samePlace(a: string, b: string): boolean {
  const real = realOr(a);
  return real !== null && real === realOr(b);
}

function realOr(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function notThere(path: string): string {
  return `${path} is not there: it was moved or deleted, or its disk is missing. If it was moved: "attractor projects move" says where it is now.`;
}

function notARepository(path: string, said: string): string {
  if (/dubious ownership/.test(said)) return `${path} belongs to another user: git refuses it until you own it.`;
  // Such as one in a format that a newer git wrote.
  if (/^fatal: (?!not a git repository)/m.test(said) && existsSync(join(path, '.git')))
    return `${path} is a repository that git can't read here: ${said}`;
  return `${path} is not a git repository: run "git init" there and make a first commit, or give another folder.`;
}
