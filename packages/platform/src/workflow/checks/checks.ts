import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { type Check, followedConfig } from '@attractor/project-config';
import { git, headOf } from '@attractor/repository';
import {
  runChecks,
  type EvidencePlace,
  rerunEvidence,
  verifyClaims,
  type Confine,
  confined,
  type ReadRunSetup,
  readSetupOnce,
  variablesIn,
} from '@attractor/run';
import {
  type Actor,
  appendEvents,
  type CheckResult,
  type Criterion,
  findProject,
  findTask,
  findTaskOverrides,
  listCriteria,
  listRuns,
  type Project,
  refuse,
  refuseOnDatabaseError,
  type Result,
  type Store,
  type Task,
} from '@attractor/store';
import type { CheckCommands } from './contract.ts';

type Services = {
  readonly store: Store;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: ReadonlyArray<string>;
  readonly confine: Confine;
  readonly readSetup?: ReadRunSetup;
};

export function createCheckCommands(services: Services): CheckCommands {
  return {
    runChecks: (taskId, actor) =>
      refuseOnDatabaseError(async () => {
        const place = await findPlace(services, taskId);
        return place.ok ? checkNow(services, place.value, actor) : place;
      }),
  };
}

type Place = {
  readonly task: Task;
  readonly project: Project;
  readonly folder: string;
  readonly checks: ReadonlyArray<Check>;
};

async function findPlace({ store, home }: Services, taskId: string): Promise<Result<Place>> {
  const task = await findTask(store.read, taskId);
  const project = task === null ? null : await findProject(store.read, task.projectId);
  if (task === null || project === null) return refuse('not_found', `There is no task ${taskId}.`);
  const runs = await listRuns(store.read, { taskId });
  const busy = runs.find(({ status }) => status === 'running');
  if (busy !== undefined)
    return refuse('blocked', `The run ${busy.key} is working on this task: wait until it ends, or stop it.`);
  const folder = runs.findLast(({ worktree }) => worktree !== null && existsSync(worktree))?.worktree;
  if (folder === undefined || folder === null)
    return refuse('blocked', `The task ${task.key} has no worktree on this machine: start an agent on it first.`);
  const config = followedConfig(project.path, { home });
  if (!config.ok) return config;
  const checks = config.value.checks.filter(({ modes }) => modes.includes('implement'));
  if (checks.length === 0 && !(await listCriteria(store.read, task)).some(namesCommand))
    return refuse('blocked', 'The configuration of the project names no checks.');
  if (checks.length > 0 && config.value.trust !== 'trusted')
    return refuse(
      'blocked',
      'Nobody has trusted the checks of this repository: look at them with `attractor trust show`.',
    );
  return done({ task, project, folder, checks });
}

function namesCommand({ claim }: Criterion): boolean {
  return claim?.evidence.some(({ command }) => command !== undefined) === true;
}

async function checkNow(
  { store, home, env, secrets, confine, readSetup }: Services,
  { task, project, folder, checks }: Place,
  actor: Actor,
): Promise<Result<ReadonlyArray<CheckResult>>> {
  const overrides = await findTaskOverrides(store.read, task.id);
  const run = { services: { confine }, project, readSetup: readSetupOnce(readSetup, { project, overrides }) };
  return confined(run, folder, async (allowed) => {
    if ('refused' in allowed) return refuse('unavailable', allowed.refused);
    const place = {
      folder,
      env: variablesIn(env, { folder, allowed }),
      secrets,
      allowed,
      signal: new AbortController().signal,
      outputFolder: join(home, 'checks', newId('chk')),
    };
    const onResult = (check: CheckResult) => tell(store, { task, check, actor });
    const results = await runChecks(checks, { ...place, phase: 'branch', onResult });
    await verifyBy(store, { task, place, results, actor });
    return done(results);
  });
}

type Ran = {
  readonly task: Task;
  readonly place: Omit<EvidencePlace, 'known'>;
  readonly results: ReadonlyArray<CheckResult>;
  readonly actor: Actor;
};

/** Criteria are judged by these checks and by the commands that they name, unless the worktree has changes that the commit has not. */
async function verifyBy(store: Store, { task, place, results, actor }: Ran): Promise<void> {
  const { folder } = place;
  const commit = await headOf(folder);
  const dirty = await git(['status', '--porcelain', '--untracked-files=normal'], { cwd: folder });
  if (!commit.ok || !dirty.ok || dirty.value !== '') return;
  const at = { taskId: task.id, folder, commit: commit.value, checks: results };
  await verifyClaims(store, { ...at, rerun: (named, known) => rerunEvidence(named, { ...place, known }) }, actor);
}

async function tell(
  store: Store,
  { task, check, actor }: { readonly task: Task; readonly check: CheckResult; readonly actor: Actor },
): Promise<void> {
  await store.transact((tx) =>
    appendEvents(tx, [
      {
        projectId: task.projectId,
        taskId: task.id,
        type: 'run.check_finished',
        summary: `Check ${check.name} ${check.passed ? 'passes' : 'fails'} on ${check.commit.slice(0, 8)}`,
        data: { check },
        actor,
      },
    ]),
  );
}
