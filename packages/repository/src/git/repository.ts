import { done } from '@attractor/base';
import { type GitOptions, runGit } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';

/** A repository that agents can work for: not bare, with at least one commit. `gitFolder` is shared by all of its worktrees. */
export type Repository = {
  readonly root: string;
  readonly gitFolder: string;
  /** The folder that a person chose for worktrees. Absent: the default one. */
  readonly worktrees?: string;
};

/** The branch that is checked out; if there is none, the usual names are tried. */
export async function defaultBranch(repository: Repository): Promise<Result<string>> {
  const head = await git(['symbolic-ref', '--quiet', '--short', 'HEAD'], { cwd: repository.root });
  if (head.ok) return head;
  for (const name of ['main', 'master']) {
    const found = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${name}`], { cwd: repository.root });
    if (found.ok) return done(name);
  }
  return refuse('invalid', `${repository.root} has no branch checked out: check one out, or name the default branch.`);
}

/** Trimmed output, or git's error message. */
export async function git(args: ReadonlyArray<string>, options: GitOptions): Promise<Result<string>> {
  const result = await runGit(args, options);
  if (result.exitCode === 0) return done(result.stdout.trimEnd());
  const said = result.stderr.trim();
  return refuse('unavailable', said === '' ? `git ${args[0] ?? ''} ended with ${result.exitCode}` : said);
}
