import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createScriptedAgent } from '@attractor/adapters';
import { openPlatform } from '../platform.ts';
import { unconfined } from '@attractor/run';
import type { Actor, Result } from '@attractor/store';
import { IMPLEMENT } from './scripts.ts';

/**
 * A process that takes one task from its start to its merge: `node forge-child.ts HOME REPOSITORY VICTIM STAGE`. It writes its pid and the
 * stage into the file VICTIM: the receiver of that stage kills it right after doing what it was asked.
 */
const [home = '', repository = '', victim = '', stage = ''] = process.argv.slice(2);
// Otherwise a killed process would leave no cache for the next one.
flushCompileCache();
const PERSON: Actor = { type: 'user', name: 'Ada' };

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

if (stage !== '') writeFileSync(victim, `${process.pid} ${stage}`);
const { workflow, worker, close } = must(
  await openPlatform({ home, agents: [createScriptedAgent([IMPLEMENT])], env: process.env, confine: unconfined }),
);
const [known] = await workflow.listProjects();
const project = known ?? must(await workflow.createProject({ path: repository }, PERSON));
const [first] = await workflow.listTasks();
const task = first ?? must(await workflow.createTask({ projectId: project.id, title: 'Make sum add' }, PERSON));
if (task.status === 'open') must(await workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
await worker.idle();
const { pullRequest: merged } = must(await workflow.approve({ taskId: task.id, merge: true }, PERSON));
const events = await workflow.events({ taskId: task.id, category: 'git', limit: 10_000 });
const artifacts = (await workflow.listArtifacts(task.id)).map(({ type }) => type);
console.log(JSON.stringify({ state: merged?.metadata['state'], events: events.map(({ type }) => type), artifacts }));
await close();
