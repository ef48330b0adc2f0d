import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { inWorktree } from '@attractor/settings';
import { type Check, followedConfig } from '@attractor/project-config';
import { git } from '@attractor/repository';
import { runChecks } from '../../checks/run-checks.ts';
import { verifyClaims } from '../../criteria/verify-claims.ts';
import {
  type Actor,
  appendEvents,
  type CheckResult,
  findProject,
  findTask,
  listRuns,
  type Project,
  refuse,
  refuseOnDatabaseError,
  type Result,
  type Store,
  type Task,
} from '@attractor/store';
import { type Confine, type ReadRunSetup, variablesIn } from '../../run-context/confinement.ts';
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
    return refuse('blocked', `The run ${busy.id} works on this task: wait for its end, or stop it.`);
  const folder = runs.findLast(({ worktree }) => worktree !== null && existsSync(worktree))?.worktree;
  if (folder === undefined || folder === null)
    return refuse('not_found', `The task ${taskId} has no worktree on this machine: start an agent on it first.`);
  const config = followedConfig(project.path, { home });
  if (!config.ok) return config;
  const checks = config.value.checks.filter(({ modes }) => modes.includes('implement'));
  if (checks.length === 0) return refuse('not_found', 'The configuration of the project names no checks.');
  if (config.value.trust !== 'trusted')
    return refuse('blocked', 'Nobody trusted the checks of this repository: look at them with `attractor trust show`.');
  return done({ task, project, folder, checks });
}

async function checkNow(
  { store, home, env, secrets, confine, readSetup }: Services,
  { task, project, folder, checks }: Place,
  actor: Actor,
): Promise<Result<ReadonlyArray<CheckResult>>> {
  const read = await readSetup?.(project.path);
  const setup = read === undefined ? null : inWorktree(read, folder);
  const confinement = confine({ repository: project.path, worktree: folder }, setup);
  if (confinement.kind === 'refused') return refuse('unavailable', confinement.message);
  const allowed = confinement.kind === 'sandboxed' ? { sandbox: confinement.sandbox } : {};
  try {
    const results = await runChecks(checks, {
      folder,
      phase: 'branch',
      env: variablesIn(env, { folder, allowed: setup === null ? allowed : { ...allowed, setup } }),
      secrets,
      allowed,
      signal: new AbortController().signal,
      outputFolder: join(home, 'checks', newId('chk')),
      onResult: (check) => tell(store, { task, check, actor }),
    });
    await verifyBy(store, { task, folder, results, actor });
    return done(results);
  } finally {
    await allowed.sandbox?.close();
  }
}

type Ran = {
  readonly task: Task;
  readonly folder: string;
  readonly results: ReadonlyArray<CheckResult>;
  readonly actor: Actor;
};

/** Criteria that name these checks as evidence are judged by them, unless the worktree has changes that the commit has not. */
async function verifyBy(store: Store, { task, folder, results, actor }: Ran): Promise<void> {
  const commit = results[0]?.commit;
  const dirty = await git(['status', '--porcelain'], { cwd: folder });
  if (commit === undefined || !dirty.ok || dirty.value !== '') return;
  await verifyClaims(store, { taskId: task.id, folder, commit, checks: results }, actor);
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
