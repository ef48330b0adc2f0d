import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { placeOf } from '../attempts/attempt-place.ts';
import { restoreAfterChecks, runChecks } from '../checks/run-checks.ts';
import { trustedChecks } from './trusted-checks.ts';
import {
  branchesOfRun,
  branchName,
  branchOfRun,
  completeLargeFiles,
  ensureWorktree,
  fetchBase,
  type FetchedBase,
  includeFiles,
  openRepository,
  overlookedFiles,
  personRemoteOptions,
  type Repository,
  type Worktree,
  worktreeNotices,
  worktreePath,
} from '@attractor/repository';
import { type CheckResult, listArtifacts, listOpenEffects, type NewEvent, type Result } from '@attractor/store';
import { reportCheck, reportRestored } from './check-events.ts';
import type { LayeredConfig } from '@attractor/project-config';
import { confined, variablesIn } from '../run-context/confinement.ts';
import { setUpProject } from './project-setup.ts';
import { eventOf, type RunContext, type StepOutcome, type StepResults } from '../run-context/run-context.ts';
import { restoreLeftovers, syncWorktree } from './sync-worktree.ts';
import { layerConfig } from './layer-config.ts';

/**
 * The task's worktree: created or cleaned, up to date, locked, set up. Before the first change the trusted checks run once on the base
 * commit, so that both results can be shown; then leftovers are restored if configured.
 */
export async function prepare(context: RunContext): Promise<StepOutcome<StepResults['prepare']>> {
  const { task, project } = context;
  const layered = await layerConfig(context);
  if (!layered.ok) return failed(layered.error.message);
  const repository = await openRepository(project.path, project.config);
  if (!repository.ok) return failed(repository.error.message);
  const refusal = await refusalOf(context, worktreePath(repository.value, task.id));
  if (refusal !== null) return failed(refusal);
  const made = await makeWorktree(context, { layered: layered.value, repository: repository.value });
  if (!made.ok) return failed(made.error.message);
  const sync = { repository: repository.value, layered: layered.value, ...made.value };
  const synced = await syncWorktree(context, sync);
  if ('failure' in synced) return synced;
  const { worktree } = synced;
  await mkdir(statePath(context), { recursive: true, mode: 0o700 });
  const equipped = await equip(context, sync, worktree);
  if (!equipped.ok) return failed(equipped.error.message);
  const baseChecks = await checkBase(context, layered.value, worktree);
  const restored = await restoreLeftovers(context, { ...sync, worktree });
  // What git put back since is pointers again.
  const large = await contentsOfLargeFiles(context, sync, worktree);
  if (!large.ok) return failed(large.error.message);
  const overlooked = await overlookedFiles(worktree.path);
  return {
    result: {
      repository: repository.value,
      worktree,
      baseChecks,
      ...(overlooked.length === 0 ? {} : { overlooked }),
    },
    run: { branch: worktree.branch, worktree: worktree.path, checks: baseChecks },
    events: [...worktreeEvents(context, worktree), ...synced.events, ...equipped.value, ...restored],
  };
}

/** A folder of the run, where its agent keeps what it needs in order to continue. */
export function statePath({ services, state }: RunContext): string {
  return join(services.home, 'runs', state.run.id);
}

function failed(message: string): { readonly failure: { readonly code: 'environment'; readonly message: string } } {
  return { failure: { code: 'environment', message } };
}

/** Checked before anything is created: may commands run here at all? */
function refusalOf(context: RunContext, worktree: string): Promise<string | null> {
  return confined(context, worktree, async (allowed) => ('refused' in allowed ? allowed.refused : null));
}

type Place = { readonly layered: LayeredConfig; readonly repository: Repository };
type Made = { readonly worktree: Worktree; readonly fetched: FetchedBase };

async function makeWorktree(context: RunContext, { layered, repository }: Place): Promise<Result<Made>> {
  const { services, task, project, state } = context;
  const { config } = layered;
  await waitUntilKept(context);
  const git = layered.project.trust === 'trusted' ? layered.project.git : {};
  const isNewPerRun = config.branchStrategy === 'new-per-run';
  const own = isNewPerRun
    ? branchOfRun(task, state.run.id, config.branchPrefix)
    : branchName(task, await listArtifacts(services.store.read, task.id), config.branchPrefix);
  const branches = await branchesOfRun(
    services.store.read,
    { taskId: task.id, hookParams: context.request.hookParams, repository },
    { branch: own, baseBranch: config.baseBranch ?? project.defaultBranch },
  );
  if (!branches.ok) return branches;
  const { branch, baseBranch } = branches.value;
  const place = await placeOf(context, repository, branch);
  await restoreAfterChecks({
    folder: worktreePath(repository, place.name),
    outputFolder: baseOutput(context),
    onRestored: (files) => reportRestored(context, files),
  });
  const signal = AbortSignal.any([context.letGo, context.cancel]);
  const fetched = await fetchBase({
    repository,
    taskId: place.name,
    baseBranch,
    branch: place.branch,
    env: services.env,
    signal,
    mayTalk: git.fetch !== false,
  });
  const worktree = await ensureWorktree({
    repository,
    taskId: place.name,
    branch: place.branch,
    baseBranch,
    author: services.author,
    lockReason: `attractor ${state.run.id} for task ${task.id}`,
    inGitignore: git.ignoreWorktrees === true,
    startsAtBase: isNewPerRun,
    beforeChange: context.look,
    ...(fetched.base === null ? {} : { baseCommit: fetched.base }),
  });
  return worktree.ok ? { ok: true, value: { worktree: worktree.value, fetched } } : worktree;
}

/** What an earlier run left is committed before the worktree is cleaned. If that can't be done now, a ref holds it. */
async function waitUntilKept({ services, task }: RunContext): Promise<void> {
  const open = await listOpenEffects(services.store.read, task.id);
  await services.outbox.settle(open.filter(({ work }) => work?.kind === 'keep_work').map(({ id }) => id));
}

/** What a fresh checkout lacks: the person's ignored files, and the project's setup commands. Both only if trusted. */
async function equip(
  context: RunContext,
  { layered, repository }: Place,
  worktree: Worktree,
): Promise<Result<ReadonlyArray<NewEvent>>> {
  const { worktreeInclude, setup, trust } = layered.project;
  const events: NewEvent[] = [];
  const large = await contentsOfLargeFiles(context, { layered, repository }, worktree);
  if (!large.ok) return large;
  if (worktreeInclude !== null) {
    const included = await includeFiles(repository, { worktree: worktree.path, patterns: worktreeInclude });
    if (!included.ok) return included;
    const { copied, left } = included.value;
    const missing = left.length === 0 ? '' : `; not copied: ${left.slice(0, 10).join(', ')}`;
    if (copied.length + left.length > 0)
      events.push(
        eventOf(context, {
          type: 'worktree.files_included',
          summary: `Files that git ignores were copied: ${copied.slice(0, 10).join(', ') || 'none'}${missing}`,
          data: { copied, left },
        }),
      );
  }
  if (setup !== null && trust === 'trusted' && layered.config.installDeps !== false) {
    const failure = await setUpProject(context, setup, worktree);
    if (failure !== null) return { ok: false, error: { code: 'unavailable', message: failure.message } };
  }
  for (const summary of [...large.value, ...(await worktreeNotices(worktree.path))])
    events.push(eventOf(context, { type: 'worktree.notice', summary }));
  return { ok: true, value: events };
}

function contentsOfLargeFiles(context: RunContext, { layered, repository }: Place, { path }: Worktree) {
  const mayTalk = layered.project.trust !== 'trusted' || layered.project.git.fetch !== false;
  return completeLargeFiles({
    repository,
    worktree: path,
    talk: mayTalk ? () => remoteOptionsOf(context, repository) : null,
  });
}

export async function remoteOptionsOf({ services, letGo, cancel }: RunContext, { root }: Repository) {
  return { ...(await personRemoteOptions(services.hostEnv, root)), signal: AbortSignal.any([letGo, cancel]) };
}

async function checkBase(
  context: RunContext,
  layered: LayeredConfig,
  worktree: Worktree,
): Promise<ReadonlyArray<CheckResult>> {
  const { checks } = trustedChecks(context, layered.project);
  if (context.state.run.mode !== 'implement' || worktree.head !== worktree.baseCommit || checks.length === 0) return [];
  return confined(context, worktree.path, (allowed) =>
    runChecks(checks, {
      folder: worktree.path,
      phase: 'base',
      env: variablesIn(context.services.env, { folder: worktree.path, allowed }),
      secrets: context.services.secrets,
      allowed,
      signal: AbortSignal.any([context.letGo, context.cancel]),
      outputFolder: baseOutput(context),
      onResult: (result) => reportCheck(context, result, 0),
      onRestored: (files) => reportRestored(context, files),
    }),
  );
}

function baseOutput(context: RunContext): string {
  return join(statePath(context), 'checks', 'base');
}

function worktreeEvents(context: RunContext, worktree: Worktree): ReadonlyArray<NewEvent> {
  const { path, branch, baseBranch, baseCommit, rescued, movedAside } = worktree;
  const made = eventOf(context, {
    type: 'worktree.prepared',
    summary: `Worktree ${path} on ${branch}`,
    data: { path, branch, baseBranch, baseCommit },
  });
  const kept = eventOf(context, {
    type: 'worktree.rescued',
    level: 'warning',
    summary: `Uncommitted work of an earlier run was kept as ${rescued ?? ''}`,
    data: { ref: rescued },
  });
  const moved = eventOf(context, {
    type: 'worktree.moved_aside',
    summary: `The earlier worktree holds repositories of its own and was moved to ${movedAside ?? ''}`,
    data: { path: movedAside ?? null },
  });
  return [made, ...(rescued === null ? [] : [kept]), ...(movedAside === undefined ? [] : [moved])];
}
