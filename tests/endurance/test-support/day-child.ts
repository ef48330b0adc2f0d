import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';

import { setTimeout as sleep } from 'node:timers/promises';
import { composeServer } from '@attractor/server';
import { backupDatabase } from '@attractor/store';
import { whatIsHeld } from './held.ts';

/**
 * A server that also works through a day: `node day-child.ts HOME PROJECT_PATH MODEL HOURS`. In each hour a run ends in every way there is,
 * schedules are due, viewers come and go, transcripts are archived and a backup is made. When all of it is over and its tasks are closed or
 * deleted, the clock goes on to the middle of the hour, the supervisor has a round, and what is held is printed.
 */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const Real = Date;
const began = Math.ceil(Real.now() / HOUR_MS) * HOUR_MS;
let ahead = began - Real.now();
const setClock = (time: number): void => void (ahead = time - Real.now());
globalThis.Date = new Proxy(Real, {
  construct: (_, given: []) => (given.length === 0 ? new Real(Real.now() + ahead) : new Real(...given)),
  get: (_, name) => (name === 'now' ? () => Real.now() + ahead : Reflect.get(Real, name)),
});

type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: { readonly message: string } };

function must<Value>(answer: Answer<Value>): Value {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

const [home = '', path = '', baseUrl = '', hours = '1'] = process.argv.slice(2);
const { url, token, workflow, close } = must(
  await composeServer({
    home,
    env: process.env,
    llm: { providers: { anthropic: { apiKey: 'test-key-0001', baseUrl } } },
    model: 'claude-sonnet-4-5',
    webRoot: null,
    allowUnsandboxed: true,
    concurrency: 4,
  }),
);
const headers = { authorization: `Bearer ${token}` };
const person = { type: 'user', name: 'Ada' } as const;
const config = { retry: { maxAttempts: 2, delayMs: 0 }, keepTranscriptsDays: 1 };
const project = must(await workflow.createProject({ path }, person));
must(await workflow.updateProject(project.id, { config }, person));

const overrides = { permissionMode: 'bypassPermissions' } as const;
const due = { title: 'Writes when it is due', pipelineId: 'simple', overrides };
const action = { kind: 'create', task: due, start: 'implement' } as const;
must(await workflow.saveSchedule({ projectId: project.id, name: 'hourly', cron: '@hourly', action }, person));
const isDue = ({ title }: { readonly title: string }): boolean => title === due.title;

type Begun = { readonly taskId: string; readonly runId: string };
type More = { readonly timeout?: number; readonly agentType?: string };

async function newTask(title: string, more: More & { readonly pipelineId?: string } = {}): Promise<string> {
  const { pipelineId = 'simple', ...own } = more;
  const input = { projectId: project.id, title, pipelineId, overrides: { ...overrides, ...own } };
  return must(await workflow.createTask(input, person)).id;
}

async function begin(title: string, more: More = {}): Promise<Begun> {
  const taskId = await newTask(title, more);
  return { taskId, runId: must(await workflow.startAgent({ taskId, mode: 'implement' }, person)).id };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

async function untilEnded(taskId: string): Promise<void> {
  await until(async () => (await workflow.listRuns({ taskId })).every(({ status }) => status !== 'running'));
}

async function untilCall({ runId }: Begun): Promise<void> {
  await until(async () => (await workflow.events({ runId, type: 'agent.tool_use', limit: 1 })).length > 0);
}

async function answered(title: string, decision: 'approve' | 'reject'): Promise<string> {
  const { taskId } = await begin(title, { agentType: 'asking' });
  const asked = async () => workflow.listPrompts({ taskId, status: 'pending' });
  await until(async () => (await asked()).length > 0);
  for (const { id } of await asked()) must(await workflow.answerPrompt({ promptId: id, answer: { decision } }, person));
  await untilEnded(taskId);
  return taskId;
}

async function ended(title: string, more: More = {}): Promise<string> {
  const { taskId } = await begin(title, more);
  await untilEnded(taskId);
  return taskId;
}

async function stopped(): Promise<string> {
  const begun = await begin('Sleeps until it is stopped');
  await untilCall(begun);
  must(await workflow.stopAgent(begun.runId, person));
  await untilEnded(begun.taskId);
  return begun.taskId;
}

async function deletedAtWork(): Promise<null> {
  const begun = await begin('Sleeps until its task is deleted');
  await untilCall(begun);
  await workflow.stopAgent(begun.runId, person);
  await untilEnded(begun.taskId);
  must(await workflow.deleteTask({ taskId: begun.taskId }, person));
  return null;
}

async function deleted(): Promise<null> {
  must(await workflow.deleteTask({ taskId: await ended('Writes, then deleted') }, person));
  return null;
}

/** A person asks for changes, and accepts what comes then. */
async function reworked(): Promise<string> {
  const taskId = await newTask('Writes, then reworked', { pipelineId: 'chore' });
  must(await workflow.transition({ taskId, to: 'in_progress' }, person));
  const isAt = async (status: string) => (await workflow.getTask(taskId))?.status === status;
  await until(() => isAt('pr_review'));
  must(await workflow.transition({ taskId, to: 'in_progress', reason: 'Once more' }, person));
  await until(() => isAt('pr_review'));
  must(await workflow.transition({ taskId, to: 'done' }, person));
  return taskId;
}

async function attempted(): Promise<string> {
  const taskId = await newTask('Writes twice');
  must(await workflow.startAttempts({ taskId, n: 2 }, person));
  await untilEnded(taskId);
  return taskId;
}

/** Comes, reads for a while or not at all, and goes without a word. */
async function viewed(reads: boolean): Promise<null> {
  const viewer = get(`${url}/api/events`, { headers, agent: false }, (events) => reads && events.resume());
  viewer.on('error', () => undefined);
  await sleep(1_000);
  viewer.destroy();
  const asked = ['/tasks', '/inbox', '/queue', '/runs'].map((place) =>
    get(`${url}/api${place}`, { headers, agent: false }),
  );
  for (const one of asked) await once(one, 'response').then(([answer]: IncomingMessage[]) => answer?.resume());
  return null;
}

/** Due once in each hour. */
async function scheduled(): Promise<ReadonlyArray<string>> {
  const mine = async () => (await workflow.listTasks({ projectId: project.id, status: ['open'] })).filter(isDue);
  await until(async () => (await mine()).length > 0);
  const ids = (await mine()).map(({ id }) => id);
  for (const id of ids) await untilEnded(id);
  return ids;
}

async function savedAside(): Promise<null> {
  const file = join(process.env['TMPDIR'] ?? '/tmp', 'backup.db');
  must(await backupDatabase(home, file));
  rmSync(file);
  return null;
}

for (let hour = 1; hour <= Number(hours); hour += 1) {
  setClock(began + hour * HOUR_MS + MINUTE_MS);
  const tasks = await Promise.all([
    ended('Writes'),
    ended('Fails', { agentType: 'failing' }),
    ended('Dies once', { agentType: 'dying' }),
    ended('Sleeps too long', { timeout: 1_500 }),
    stopped(),
    deleted(),
    deletedAtWork(),
    answered('Asks, and may', 'approve'),
    answered('Asks, and may not', 'reject'),
    reworked(),
    attempted(),
    scheduled(),
    viewed(true),
    viewed(false),
    savedAside(),
  ]);
  for (const taskId of tasks.flat()) if (taskId !== null) must(await workflow.closeTask({ taskId }, person));
  setClock(began + hour * HOUR_MS + 30 * MINUTE_MS);
  must(await workflow.superviseOnce());
  process.stdout.write(`${JSON.stringify({ hour, ...(await whatIsHeld({ home, path })) })}\n`);
}
await close();
