import type { AgentRun, Prompt, Task } from '@attractor/platform';
import type { ApiClient } from '@attractor/api';
import { queuedRuns, valueOf } from '@attractor/console/lines';
import { readableText, type Style } from '@attractor/console';
import { howToAnswer } from './event-lines.ts';

/** The current state of a task: its status, its runs, and what it waits for. */
type TaskNow = {
  readonly task: Task;
  readonly runs: ReadonlyArray<AgentRun>;
  /** The runs that no worker has taken yet. */
  readonly queued: ReadonlySet<string>;
  readonly prompts: ReadonlyArray<Prompt>;
};

export async function readTaskNow(client: ApiClient, id: string): Promise<TaskNow> {
  const [task, running, prompts] = await Promise.all([
    client.tasks.get(id),
    client.runs.list({ taskId: id, status: 'running' }),
    client.prompts.list({ taskId: id, status: 'pending' }),
  ]);
  const runs = valueOf(running);
  return { task: valueOf(task), runs, queued: await queuedRuns(client, runs), prompts: valueOf(prompts) };
}

/** One line, and one for each question. */
export function taskNowLines({ task, runs, queued, prompts }: TaskNow, style: Style): ReadonlyArray<string> {
  const parts = [
    `Task ${task.key} is ${style.bold(readableText(task.status).replaceAll('_', ' '))}: ${oneLine(task.title)}`,
    ...runs.map(({ id, key, mode }) => `${key} (${mode}) ${queued.has(id) ? 'is queued' : 'is at work'}`),
  ];
  const questions = prompts.map((prompt) => `    ? ${oneLine(prompt.title)}; ${style.dim(howToAnswer(prompt))}`);
  return [parts.join('; '), ...questions];
}

function oneLine(text: string): string {
  return readableText(text).replaceAll(/\s+/g, ' ').trim();
}
