import { runGit } from '@attractor/git';
import type { PlatformWorkflow, Project } from '@attractor/platform';
import { CommandFailure, EXIT } from '@attractor/console';
import { ACTOR } from './begin-task.ts';

/** Before anything starts: whether the finished work could come into this checkout. */
export async function requireCleanCheckout(project: Project): Promise<string> {
  const base = project.defaultBranch;
  const branch = (await runGit(['branch', '--show-current'], { cwd: project.path })).stdout.trim();
  if (branch !== base)
    throw new CommandFailure(
      `--here brings the work onto ${base}, and ${branch === '' ? 'no branch' : branch} is checked out. Switch first: git switch ${base}`,
      EXIT.refused,
    );
  const changes = (await runGit(['status', '--porcelain'], { cwd: project.path })).stdout
    .split('\n')
    .filter((line) => line !== '');
  if (changes.length === 0) return base;
  const shown = changes.slice(0, 3).map((line) => line.slice(3));
  const more = changes.length > shown.length ? ` and ${changes.length - shown.length} more` : '';
  throw new CommandFailure(
    `--here needs a clean checkout; not committed are ${shown.join(', ')}${more}. Commit or stash them, or leave out --here: the work then waits on its branch.`,
    EXIT.refused,
  );
}

export type FinishedWork = { readonly taskId: string; readonly base: string; readonly contentHash: string };

/** Accepts the work as it was shown and moves the checked-out branch forward to it: both, or neither. One line says what happened. */
export async function bringHere(
  workflow: PlatformWorkflow,
  { taskId, base, contentHash }: FinishedWork,
): Promise<{ readonly ok: boolean; readonly line: string }> {
  const approved = await workflow.approve({ taskId, contentHash, merge: true }, ACTOR);
  if (!approved.ok) return { ok: false, line: `The work stays on its branch: ${approved.error.message}` };
  const { mergeCommit: commit, baseBranch = base } = approved.value.pullRequest?.metadata ?? {};
  const at = typeof commit === 'string' ? ` as ${commit.slice(0, 12)}` : '';
  if (baseBranch !== base)
    return {
      ok: false,
      line: `${String(baseBranch)} has it${at}: the project's own base, which is not checked out here.`,
    };
  return { ok: true, line: `${base} has it${at}, and your checkout moved along.` };
}
