import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AgentRun,
  emptyRunView,
  type PlatformEvent,
  runView,
  type TaskListView,
  type TaskView,
} from '@attractor/api';
import type { Page } from 'playwright-core';
import { ACTOR, serveProject } from '../measuring/served-project.ts';

export type LargeWorld = {
  readonly url: string;
  readonly taskKey: string;
  readonly signInUrl: (path: string) => string;
  /** So many things happen to a task, one after another. */
  readonly happen: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A real server with one task. What is large is told to the page instead of its answers: making it would take minutes. */
export async function openLargeWorld(webRoot: string): Promise<LargeWorld> {
  const home = mkdtempSync(join(tmpdir(), 'attractor-bench-'));
  const { workflow, url, signInUrl, close, project } = await serveProject(home, webRoot);
  const task = await workflow.createTask({ projectId: project.id, title: 'The first task' }, ACTOR);
  if (!task.ok) throw new Error(task.error.message);
  return {
    url,
    taskKey: task.value.key,
    signInUrl,
    happen: async (count) => {
      for (let number = 1; number <= count; number += 1)
        await workflow.addNote({ taskId: task.value.id, text: `Note ${number}` }, ACTOR);
    },
    close: async () => {
      await close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The board of the server, with this many tasks in all of its columns. */
export async function tellManyTasks(page: Page, count: number): Promise<void> {
  await page.route('**/api/views/task-list*', async (route) => {
    const answer = await route.fetch();
    const view = (await answer.json()) as TaskListView;
    const [row] = Object.values(view.rows);
    if (row === undefined) throw new Error('the board is empty');
    const statuses = ['open', 'open', 'open', 'planning', 'plan_review', 'implementing', 'pr_review', 'done'];
    const rows = Array.from({ length: count }, (_, at) => {
      const id = `tsk_${String(at).padStart(8, '0')}` as const;
      const task = { ...row.task, id, key: `REP-${at}`, status: statuses[at % statuses.length] ?? 'open' };
      return [id, { ...row, task: { ...task, title: `Task ${at}: make the importer read line by line` } }] as const;
    });
    await route.fulfill({ json: { ...view, rows: Object.fromEntries(rows) } });
  });
  // The server knows none of them.
  await page.route('**/api/tasks/states*', (route) => route.fulfill({ json: [] }));
}

/** The task of the server, with a run of this many events. */
export async function tellLongRun(page: Page, count: number, taskKey: string): Promise<void> {
  await page.route('**/api/runs/*', (route) => route.fulfill({ json: { ...runOf(null), taskId: taskKey } }));
  await page.route('**/api/views/tasks/*', async (route) => {
    const answer = await route.fetch();
    const view = (await answer.json()) as TaskView;
    const run = runOf(view);
    await route.fulfill({ json: { ...view, runs: [{ run, steps: [], spent: longView(run, 0).spent }] } });
  });
  await page.route('**/api/views/runs/*', async (route) => {
    const id = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    await route.fulfill({ json: longView({ ...runOf(null), id: id as AgentRun['id'] }, count) });
  });
}

function runOf(view: TaskView | null): AgentRun {
  return {
    id: 'run_1',
    key: 'REP-1.1',
    taskId: (view?.taskId ?? 'tsk_1') as AgentRun['taskId'],
    projectId: view?.task?.projectId ?? 'prj_1',
    agentType: 'native',
    mode: 'implement',
    status: 'completed',
    model: 'scripted',
    outcome: 'pr_ready',
    payload: null,
    tokenUsage: null,
    checks: [],
    branch: null,
    worktree: null,
    durationMs: 1000,
    error: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    finishedAt: '2026-01-01T01:00:00.000Z',
  };
}

const TEXT =
  'I read `src/import.js`. It holds the **whole** file in memory:\n\n```js\nconst text = readFileSync(path, "utf8");\n```';

/** Turns of a text, a tool, its result and what it cost. */
function longView(run: AgentRun, count: number) {
  const bodies = (turn: number) => [
    { kind: 'text', text: `${turn}. ${TEXT}` },
    { kind: 'tool_call', toolCallId: `call_${turn}`, toolName: 'shell', input: { command: `node --test ${turn}` } },
    { kind: 'tool_result', toolCallId: `call_${turn}`, toolName: 'shell', output: 'ok\n'.repeat(20), isError: false },
    { kind: 'usage', model: 'scripted', usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 }, costUsd: 0.01 },
  ];
  const events = Array.from({ length: count }, (_, at) => {
    const message = { key: `m${at}`, ...bodies(Math.floor(at / 4))[at % 4] };
    const when = new Date(Date.parse(run.startedAt) + at * 100).toISOString();
    return { seq: at + 1, at: when, type: 'agent.message', taskId: run.taskId, runId: run.id, data: { message } };
  });
  return { ...runView.foldAll(emptyRunView(run.id), events as unknown as ReadonlyArray<PlatformEvent>), run };
}
