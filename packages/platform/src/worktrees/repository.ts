import { realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type GitOptions, runGit } from '@attractor/agent';
import { done, refuse } from '../refusal.ts';
import type { Result } from '../workflow-contract.ts';

/** A repository that agents can work for: not bare, with at least one commit. `gitFolder` is shared by all of its worktrees. */
export type Repository = { readonly root: string; readonly gitFolder: string };

export async function openRepository(path: string): Promise<Result<Repository>> {
  if (!isAbsolute(path)) return refuse('invalid', `The path of a project must be absolute, but "${path}" is not.`);
  const asked = await git(['rev-parse', '--is-bare-repository', '--git-common-dir'], { cwd: path });
  if (!asked.ok) return refuse('invalid', notARepository(path, asked.error.message));
  const [bare, common] = asked.value.split('\n');
  if (bare === 'true') return refuse('invalid', `${path} is a bare repository: give the folder of a checkout.`);
  const top = await git(['rev-parse', '--show-toplevel'], { cwd: path });
  if (!top.ok || common === undefined) return refuse('invalid', notARepository(path, top.ok ? '' : top.error.message));
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: path });
  if (!head.ok) return refuse('invalid', `${path} has no commit yet: make a first commit, then add it.`);
  return done({
    root: realpathSync(top.value),
    gitFolder: realpathSync(isAbsolute(common) ? common : join(path, common)),
  });
}

/** The branch that is checked out; where none is, the usual ones are looked for. */
export async function defaultBranch(repository: Repository): Promise<Result<string>> {
  const head = await git(['symbolic-ref', '--quiet', '--short', 'HEAD'], { cwd: repository.root });
  if (head.ok) return head;
  for (const name of ['main', 'master']) {
    const found = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${name}`], { cwd: repository.root });
    if (found.ok) return done(name);
  }
  return refuse('invalid', `${repository.root} has no branch checked out: check one out, or name the default branch.`);
}

/** Trimmed output, or what git said against it. */
export async function git(args: ReadonlyArray<string>, options: GitOptions): Promise<Result<string>> {
  const result = await runGit(args, options);
  if (result.exitCode === 0) return done(result.stdout.trimEnd());
  const said = result.stderr.trim();
  return refuse('unavailable', said === '' ? `git ${args[0] ?? ''} ended with ${result.exitCode}` : said);
}

function notARepository(path: string, said: string): string {
  return /dubious ownership/.test(said)
    ? `${path} belongs to another user: git refuses it until you own it.`
    : `${path} is not a git repository: run "git init" there and make a first commit, or give another folder.`;
}
