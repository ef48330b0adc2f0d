import { done } from '@attractor/base';
import { eventOf, LetGo, resultOf, type RunContext, type StepFailure } from '../run-context/run-context.ts';
import {
  addAmounts,
  appendEvents,
  findAttempt,
  listRunUsage,
  NOTHING,
  replaceStep,
  type Result,
  saveScore,
  updateRun,
  type UsedAmount,
} from '@attractor/store';
import { toTokenUsage } from '../run-context/agent-usage.ts';
import { ensureWorktree, git, readDiffStat, unlockWorktree, type Worktree } from '@attractor/repository';
import { taskBranchOf } from './attempt-place.ts';
import { judgeAttempts } from './judge-attempts.ts';
import type { KeptScore } from './kept-score.ts';

/**
 * Between the checks and the steps after them. A run that is no attempt passes, and so does one that a person stopped. An attempt stores
 * its score and rests until all are judged; the winner then moves the task's branch to its work and continues as the task's run, the others
 * are closed. Every part may be repeated after a crash.
 */
export async function settleAttempt(context: RunContext): Promise<void> {
  const { services, state } = context;
  const attempt = await findAttempt(services.store.read, state.run.id);
  if (attempt === null || state.failure?.code === 'cancelled' || state.finished.has('trigger')) return;
  if (attempt.score === null) await leaveScore(context);
  const group = await context.transact((tx) => judgeAttempts(tx, attempt.group_id));
  if (group?.winner_run_id !== state.run.id) throw new LetGo('waits for the other attempts');
  if (state.failure !== null || state.results.validate === undefined) return;
  const adopted = await adopt(context);
  if (!adopted.ok)
    state.failure = {
      code: 'environment',
      message: `The best attempt could not become the task's branch: ${adopted.error.message}`,
    };
}

async function leaveScore(context: RunContext): Promise<void> {
  const { state } = context;
  const score = JSON.stringify(await scoreOf(context));
  const { prepare } = state.results;
  if (prepare !== undefined) await unlockWorktree(prepare.repository, prepare.worktree.path);
  await context.transact((tx) => saveScore(tx, state.run.id, score));
}

const ENDINGS: Readonly<Partial<Record<StepFailure['code'], KeptScore['status']>>> = { timeout: 'timeout' };

async function scoreOf(context: RunContext): Promise<KeptScore> {
  const { run, failure, results } = context.state;
  const used = (await listRunUsage(context.services.store.read, run.id)).reduce<UsedAmount>(addAmounts, NOTHING);
  return {
    succeeded: failure === null,
    failedChecks: run.checks.filter(({ phase, passed }) => phase === 'branch' && !passed).length,
    changedLines: await changedLines(context),
    costUsd: toTokenUsage(used).totalCost,
    outcome: failure === null ? (results.validate?.outcome ?? null) : null,
    error: failure?.message ?? null,
    status: failure === null ? 'completed' : (ENDINGS[failure.code] ?? 'failed'),
  };
}

async function changedLines({ state }: RunContext): Promise<number> {
  const { prepare, validate } = state.results;
  if (prepare === undefined) return 0;
  const { path, head } = prepare.worktree;
  const diff = await readDiffStat(path, { from: head, to: validate?.head ?? 'HEAD' });
  return diff.ok ? diff.value.additions + diff.value.deletions : 0;
}

/** The task's own worktree is fast-forwarded to the attempt's last commit; later steps find the work there. */
async function adopt(context: RunContext): Promise<Result<Worktree>> {
  const { services, task, state } = context;
  const { repository, worktree, baseChecks } = resultOf(context, 'prepare');
  const branch = taskBranchOf(worktree.branch);
  if (branch === worktree.branch) return done(worktree);
  const made = await ensureWorktree({
    repository,
    taskId: task.id,
    branch,
    baseBranch: worktree.baseBranch,
    author: services.author,
    lockReason: `attractor ${state.run.id} for task ${task.id}`,
  });
  if (!made.ok) return made;
  const forward = await git(['merge', '--ff-only', '--quiet', resultOf(context, 'validate').head], {
    cwd: made.value.path,
  });
  if (!forward.ok) return forward;
  const adopted: Worktree = { ...worktree, path: made.value.path, branch };
  const result = { repository, worktree: adopted, baseChecks };
  const run = { ...state.run, branch, worktree: adopted.path };
  await context.transact(async (tx) => {
    await replaceStep(tx, run.id, { step: 'prepare', ok: true, result });
    await updateRun(tx, run);
    await appendEvents(tx, [
      eventOf(context, {
        key: 'attempt:adopted',
        type: 'worktree.prepared',
        summary: `The work of ${worktree.branch} is on ${branch} now`,
        data: { run, path: adopted.path, branch, baseBranch: adopted.baseBranch, baseCommit: adopted.baseCommit },
      }),
    ]);
  });
  state.run = run;
  state.results = { ...state.results, prepare: result };
  return done(adopted);
}
