import type { SplitBody, TaskState } from '@attractor/api';
import type { Task } from '@attractor/platform';
import { CommandFailure, EXIT, readableText } from '@attractor/console';
import { readJsonFile, print, readStates, valueOf } from '@attractor/console/lines';
import { type Call, type Verb, verb } from '../../verbs/verb.ts';
import { subtasksOf } from './subtasks-of.ts';
import { TASK_ID } from './task-records.ts';

const split = verb({
  name: 'split',
  summary: 'split a task into subtasks; it waits until all of them are merged or closed',
  arguments: [TASK_ID],
  flags: [{ flag: '--file <file>', about: 'the subtasks as JSON' }],
  notes: `JSON in the file or on stdin: {"subtasks": [{"name": "a", "title": …, "description"?, "acceptanceCriteria"?: [],
"dependsOn"?: ["other name"], "pipelineId"?, "agentType"?}]}. At most 20; all of them are made or none.`,
  examples: ['tasks split ATT-12 --file parts.json', 'tasks split ATT-12 < parts.json'],
  call: async (call) => call.client.tasks.makeSplit(call.arg(0), await splitBody(call)),
  ids: ({ subtasks }) => subtasks.map(({ taskId }) => taskId),
  show: ({ subtasks }, { style }) =>
    subtasks.map(({ key, name, title }) => `${style.accent(key)}  [${name}] ${readableText(title)}`),
});

async function splitBody(call: Call): Promise<SplitBody> {
  const file = call.flags.text('file');
  const given = file === undefined ? await call.input() : readJsonFile('--file', file);
  if (given === null)
    throw new CommandFailure('no input: name a file with --file, or pipe JSON in (see --help)', EXIT.usage);
  return given as SplitBody;
}

const tree: Verb = {
  name: 'tree',
  summary: 'show tasks with their subtasks',
  arguments: [{ name: '[id]', about: 'only this task and its subtasks' }],
  examples: ['tasks tree', 'tasks tree ATT-12', 'tasks tree --json'],
  run: async (call) => {
    const { client, output, style } = call;
    const tasks = await treeTasks(call);
    const states = output.mode === 'people' ? await readStates(client, tasks) : new Map<string, TaskState>();
    await print(output, { value: tasks, lines: () => treeLines(tasks, { states, dim: style.dim }) });
    return EXIT.done;
  },
};

const MOST = 1000;

/** Each task is followed by its subtasks. */
async function treeTasks(call: Call): Promise<ReadonlyArray<Task>> {
  const { client } = call;
  if (call.arg(0) !== '') {
    const top = valueOf(await client.tasks.get(call.arg(0)));
    return [top, ...(await subtasksOf(call, top.id))];
  }
  const all = valueOf(await client.tasks.list({ projectId: await call.project(), limit: MOST }));
  const known = new Set<string>(all.map(({ id }) => id));
  const tops = all.filter(({ parentTaskId }) => parentTaskId === null || !known.has(parentTaskId));
  return tops.flatMap((top) => [top, ...all.filter(({ parentTaskId }) => parentTaskId === top.id).toReversed()]);
}

type Shown = { readonly states: ReadonlyMap<string, TaskState>; readonly dim: (text: string) => string };

function treeLines(tasks: ReadonlyArray<Task>, { states, dim }: Shown): ReadonlyArray<string> {
  if (tasks.length === 0) return ['No tasks here: attractor tasks create "…"'];
  const tops = new Set<string>(
    tasks.filter(({ parentTaskId }, at) => parentTaskId === null || at === 0).map(({ id }) => id),
  );
  return tasks.map(({ id, key, title, status }) => {
    const how = readableText(states.get(id)?.label ?? status);
    return `${tops.has(id) ? '' : '  └ '}${key}  ${readableText(title)}  ${dim(how)}`;
  });
}

export const TASK_SPLIT_VERBS: ReadonlyArray<Verb> = [split, tree];
