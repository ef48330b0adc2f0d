import { flushCompileCache } from 'node:module';
import { createScriptedAgent } from '@attractor/adapters';
import { readProjectConfig } from '@attractor/project-config';
import { openPlatform, type Platform } from '../platform.ts';
import { unconfined } from '@attractor/run';
import type { Actor, PlatformEvent, Project, Result, Task } from '@attractor/store';
import { IMPLEMENT, PLAN } from './scripts.ts';

/**
 * A process that takes one task to review and may die on the way: `node walk-child.ts HOME REPOSITORY [TYPE:DETAIL:COUNT]`. It kills itself
 * as soon as it sees the COUNT-th new event of that type (and step, check or message kind).
 */
const [home = '', repository = '', killPoint = ''] = process.argv.slice(2);
// Otherwise a killed process would leave no cache for the next one.
flushCompileCache();
const PERSON: Actor = { type: 'user', name: 'Ada' };

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const platform = must(
  await openPlatform({ home, agents: [createScriptedAgent([PLAN, IMPLEMENT])], env: process.env, confine: unconfined }),
);
dieAt(killPoint);
const { task } = await findOrCreate();
if (task.status === 'open') must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
await platform.worker.idle();
console.log(JSON.stringify({ taskId: task.id, status: (await platform.workflow.getTask(task.id))?.status }));
await platform.close();

async function findOrCreate(): Promise<{ readonly project: Project; readonly task: Task }> {
  const { workflow } = platform;
  const [known] = await workflow.listProjects();
  const project = known ?? must(await workflow.createProject({ path: repository }, PERSON));
  must(await workflow.trustConfig(project.id, must(readProjectConfig(project.path, { home })).hash, PERSON));
  const [task] = await workflow.listTasks();
  return {
    project,
    task: task ?? must(await workflow.createTask({ projectId: project.id, title: 'Make sum add' }, PERSON)),
  };
}

function dieAt(point: string): void {
  if (point === '') return;
  const [type = '', detail = '', count = '1'] = point.split(':');
  let after: number | null = null;
  let seen = 0;
  const look = async (opened: Platform): Promise<void> => {
    const events = await opened.workflow.events({ ...(after === null ? {} : { after }), limit: 10_000 });
    after = events.at(-1)?.seq ?? after ?? 0;
    seen += events.filter((event) => event.type === type && (detail === '' || detailOf(event) === detail)).length;
    if (seen >= Number(count)) process.kill(process.pid, 'SIGKILL');
  };
  platform.workflow.subscribe(() => void look(platform));
}

function detailOf(event: PlatformEvent): unknown {
  if (event.type === 'agent.message') return event.data.message.kind;
  if (event.type === 'run.check_finished') return event.data.check.phase;
  return 'step' in event.data ? event.data.step : null;
}
