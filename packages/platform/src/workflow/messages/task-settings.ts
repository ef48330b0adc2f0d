import type { AgentChanges } from '@attractor/adapters';
import { defined, done } from '@attractor/base';
import { agentConfigProblem } from '@attractor/project-config';
import {
  type Actor,
  appendEvents,
  findRunRequest,
  findTask,
  findTaskOverrides,
  listRuns,
  type Reader,
  refuse,
  type Result,
  type RunOverrides,
  setRunOverrides,
  setTaskOverrides,
  type Store,
} from '@attractor/store';
import type { SettingChanges, TaskSettings } from './contract.ts';

export async function readTaskSettings(db: Reader, taskId: string): Promise<Result<TaskSettings>> {
  if ((await findTask(db, taskId)) === null) return refuse('not_found', `There is no task ${taskId}.`);
  const [run] = await listRuns(db, { taskId, status: 'running' });
  return done({ ...settingsOf(await findTaskOverrides(db, taskId)), runId: run?.id ?? null });
}

export function changeTaskSettings(
  store: Store,
  { taskId, changes }: { readonly taskId: string; readonly changes: SettingChanges },
  actor: Actor,
): Promise<Result<TaskSettings>> {
  return store.transact(async (tx) => {
    const task = await findTask(tx, taskId);
    if (task === null) return refuse('not_found', `There is no task ${taskId}.`);
    const said = Object.entries(changes);
    if (said.length === 0) return refuse('invalid', 'Say what to change: model, effort or permissionMode.');
    const problem = agentConfigProblem(Object.fromEntries(said.filter(([, value]) => value !== null)));
    if (problem !== null) return refuse('invalid', `${problem}.`);
    await setTaskOverrides(tx, task.id, changed(await findTaskOverrides(tx, task.id), changes));
    // Attempts are several at once.
    const running = await listRuns(tx, { taskId: task.id, status: 'running' });
    for (const { id } of running)
      await setRunOverrides(tx, id, changed((await findRunRequest(tx, id)).overrides, changes));
    const [run] = running;
    const shown = said.map(([name, value]) => `${name} ${value ?? 'as configured'}`).join(', ');
    await appendEvents(tx, [
      {
        projectId: task.projectId,
        taskId: task.id,
        runId: run?.id ?? null,
        type: 'run.settings_changed',
        summary: `${run === undefined ? 'For the next run' : 'From the next round on'}: ${shown}`,
        data: { changes },
        actor,
      },
    ]);
    return readTaskSettings(tx, task.id);
  });
}

function changed(overrides: RunOverrides, changes: SettingChanges): RunOverrides {
  const next = Object.entries({ ...overrides, ...changes }).filter(([, value]) => value !== null);
  return Object.fromEntries(next);
}

function settingsOf({ model, effort, permissionMode }: RunOverrides): AgentChanges {
  return defined({ model, effort, permissionMode });
}
