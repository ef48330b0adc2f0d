import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runChecks } from '../checks/run-checks.ts';
import { trustedChecks } from '../checks/trusted-checks.ts';
import { listArtifacts } from '../store/artifacts.ts';
import type { NewEvent } from '../store/events.ts';
import type { CheckResult } from '../types/index.ts';
import { branchName } from '../worktrees/branch-name.ts';
import { git, openRepository } from '../worktrees/repository.ts';
import { ensureWorktree, type Worktree, worktreePath } from '../worktrees/worktree.ts';
import { type LayeredConfig, layerConfig } from './config-layers.ts';
import { tellCheck } from './check-events.ts';
import { confined } from './confinement.ts';
import { eventOf, type RunContext, type StepOutcome, type StepResults } from './run-context.ts';

/** The task's worktree: clean, on its branch, locked. Before the first change the trusted checks run once on the base commit, so that both results can be shown. */
export async function prepare(context: RunContext): Promise<StepOutcome<StepResults['prepare']>> {
  const { services, task, project, state } = context;
  const layered = await layerConfig(context);
  if (!layered.ok) return { failure: { code: 'environment', message: layered.error.message } };
  const repository = await openRepository(project.path);
  if (!repository.ok) return { failure: { code: 'environment', message: repository.error.message } };
  const refusal = await refusalOf(context, worktreePath(repository.value.root, task.id));
  if (refusal !== null) return { failure: { code: 'environment', message: refusal } };
  const { config } = layered.value;
  const worktree = await ensureWorktree({
    repository: repository.value,
    taskId: task.id,
    branch: branchName(task, await listArtifacts(services.store.read, task.id), config.branchPrefix),
    baseBranch: config.baseBranch ?? project.defaultBranch,
    author: services.author,
    lockReason: `attractor ${state.run.id} for task ${task.id}`,
  });
  if (!worktree.ok) return { failure: { code: 'environment', message: worktree.error.message } };
  await mkdir(statePath(context), { recursive: true, mode: 0o700 });
  const baseChecks = await checkBase(context, layered.value, worktree.value);
  return {
    result: { repository: repository.value, worktree: worktree.value, baseChecks },
    run: { branch: worktree.value.branch, worktree: worktree.value.path, checks: baseChecks },
    events: worktreeEvents(context, worktree.value),
  };
}

/** A folder of the run's own, where its agent keeps what it needs to go on. */
export function statePath({ services, state }: RunContext): string {
  return join(services.home, 'runs', state.run.id);
}

/** Before anything is made: may commands run here at all? */
function refusalOf(context: RunContext, worktree: string): Promise<string | null> {
  return confined(context, worktree, async (allowed) => ('refused' in allowed ? allowed.refused : null));
}

async function checkBase(
  context: RunContext,
  layered: LayeredConfig,
  worktree: Worktree,
): Promise<ReadonlyArray<CheckResult>> {
  const { checks } = trustedChecks(context, layered.project);
  if (context.state.run.mode !== 'implement' || worktree.head !== worktree.baseCommit || checks.length === 0) return [];
  const results = await confined(context, worktree.path, (allowed) =>
    runChecks(checks, {
      folder: worktree.path,
      phase: 'base',
      env: context.services.env,
      allowed,
      signal: AbortSignal.any([context.letGo, context.cancel]),
      onResult: (result) => tellCheck(context, result, 0),
    }),
  );
  // The worktree was clean before, so what lies there now is the checks' own.
  await git(['reset', '--hard', '--quiet', 'HEAD'], { cwd: worktree.path });
  await git(['clean', '-fd', '--quiet'], { cwd: worktree.path });
  return results;
}

function worktreeEvents(context: RunContext, worktree: Worktree): ReadonlyArray<NewEvent> {
  const { path, branch, baseBranch, baseCommit, rescued } = worktree;
  const made = eventOf(context, {
    category: 'git',
    type: 'worktree.prepared',
    summary: `Worktree ${path} on ${branch}`,
    data: { path, branch, baseBranch, baseCommit },
  });
  if (rescued === null) return [made];
  return [
    made,
    eventOf(context, {
      category: 'git',
      type: 'worktree.rescued',
      level: 'warning',
      summary: `Uncommitted work of an earlier run was kept as ${rescued}`,
      data: { ref: rescued },
    }),
  ];
}
