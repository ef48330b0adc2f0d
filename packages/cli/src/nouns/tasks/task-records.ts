import { defined } from '@attractor/base';
import { COMPLEXITIES, PRIORITIES, SIZES } from '@attractor/facts';
import type { Task } from '@attractor/platform';
import {
  type Answer,
  criterionLine,
  leftOf,
  type NewTaskBody,
  type TaskEditBody,
  type TaskState,
} from '@attractor/api';
import { EXIT } from '@attractor/console';
import { fieldsOf } from '../../verbs/fields.ts';
import { moreRows, tellLeft, print, readStates, valueOf } from '@attractor/console/lines';
import { showCall } from '../../verbs/show-call.ts';
import { type Call, type Verb, verb } from '../../verbs/verb.ts';
import { chosenSettings, RUN_SETTING_FLAGS } from './run-setting-flags.ts';
import { taskLines, taskTable } from './show-task.ts';
import { subtasksOf } from './subtasks-of.ts';
import { NEW_TASK_FLAGS, newTaskFields, TASK_EDIT_FLAGS, taskEditFields } from './task-flags.ts';

export const TASK_ID = { name: '<id>', about: "the task's key or id" };

const list: Verb = {
  name: 'list',
  summary: 'list tasks, the newest first',
  flags: [
    { flag: '--status <id>', about: 'only of this status', many: true },
    { flag: '--priority <level>', about: 'only of this priority', many: true, choices: PRIORITIES },
    { flag: '--size <size>', about: 'only of this size', many: true, choices: SIZES },
    { flag: '--complexity <level>', about: 'only of this complexity', many: true, choices: COMPLEXITIES },
    { flag: '--tag <name>', about: 'only those with one of these tags', many: true },
    { flag: '--search <text>', about: 'words in the title or the description' },
    { flag: '--parent <id>', about: 'the parts of this task; "none": tasks that are not parts' },
    { flag: '--pipeline <id>', about: 'only of this pipeline' },
    { flag: '--all', about: "of every project, not only this folder's" },
    { flag: '--limit <n>', about: 'at most so many (default 100)', number: true },
    { flag: '--before <id>', about: 'the last task of the page before' },
    { flag: '--board', about: 'in the order of the board instead, from the top' },
    { flag: '--after <id>', about: 'with --board: the last task of the page before' },
  ],
  examples: ['tasks list', 'tasks list --status open --status planning --json', 'tasks list --all --search parser'],
  run: async (call) => {
    const { client, output, style } = call;
    const answer = await listTasks(call);
    const tasks = valueOf(answer);
    const states = output.mode === 'people' ? await readStates(client, tasks) : new Map<string, TaskState>();
    await print(output, { value: tasks, lines: () => taskTable(tasks, { style, states }) });
    const left = leftOf(answer);
    const page = call.flags.has('board') ? '--after' : '--before';
    const how = `${moreRows(tasks.length, left)}, or ${page} ${tasks.at(-1)?.key ?? ''} for the next page`;
    tellLeft(call, { left, how });
    return EXIT.done;
  },
};

async function listTasks(call: Call): Promise<Answer<ReadonlyArray<Task>>> {
  const { flags, client } = call;
  const query = await listQuery(call);
  if (!flags.has('board')) {
    const before = flags.text('before');
    return client.tasks.list({ ...query, ...defined({ before }) });
  }
  const after = flags.text('after');
  const page = await client.tasks.page({ ...query, ...defined({ after }) });
  if (!page.ok) return page;
  const { tasks, next } = page.value;
  return { ok: true, value: tasks, ...(next === null ? {} : { left: 'some' }) };
}

async function listQuery(call: Call) {
  const { flags } = call;
  const projectId = flags.has('all') ? null : await call.projectIfAny();
  const limit = flags.number('limit');
  const query = {
    status: flags.list('status')?.join(','),
    priority: flags.list('priority')?.join(','),
    size: flags.list('size')?.join(','),
    complexity: flags.list('complexity')?.join(','),
    tags: flags.list('tag')?.join(','),
    search: flags.text('search'),
    parentTaskId: flags.text('parent'),
    pipelineId: flags.text('pipeline'),
  };
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return {
    ...Object.fromEntries(given),
    ...(projectId === null ? {} : { projectId }),
    ...defined({ limit }),
  };
}

const get: Verb = {
  name: 'get',
  alias: 'show',
  summary: 'show a task, its state and what can be done next',
  arguments: [TASK_ID],
  examples: ['tasks get ATT-12', 'tasks get ATT-12 --json'],
  run: async (call) => {
    const { client, arg, output, style } = call;
    const task = valueOf(await client.tasks.get(arg(0)));
    const parts = output.mode === 'people' ? await subtasksOf({ client }, task.id) : [];
    const states = output.mode === 'people' ? await readStates(client, [task, ...parts]) : new Map<string, TaskState>();
    const subtasks = parts.map((part) => `${part.key}  ${part.title}  (${states.get(part.id)?.label ?? part.status})`);
    const around = { ...defined({ state: states.get(task.id), criteria: await criteriaOf(call, task) }), subtasks };
    await print(output, { value: task, lines: () => taskLines(task, style, around) });
    return EXIT.done;
  },
};

/** How each criterion stands, for people; undefined where there is nothing to say. */
async function criteriaOf({ client, output }: Call, task: Task): Promise<ReadonlyArray<string> | undefined> {
  if (output.mode !== 'people' || task.acceptanceCriteria.length === 0) return undefined;
  return valueOf(await client.criteria.list(task.id)).map(criterionLine);
}

const create: Verb = {
  name: 'create',
  alias: 'add',
  summary: 'make a task',
  arguments: [{ name: '[title]', about: 'the same as --title' }],
  flags: [
    ...NEW_TASK_FLAGS,
    { flag: '--model <name>', about: 'the model of its runs' },
    ...RUN_SETTING_FLAGS,
    { flag: '-i, --interactive', about: 'ask for the fields' },
    { flag: '--from-file <file>', about: 'markdown with the fields in its head; - is stdin' },
  ],
  notes: `JSON on stdin instead: {"title": …, "description"?, "priority"?, "tags"?: [], "dependsOn"?: [], …}
A file for --from-file has a head between two lines --- with fields such as priority: high, then the description.`,
  examples: [
    'tasks create "Accept ISO weeks" --priority high --tag parser',
    'tasks create "Tidy up" --permission-mode acceptEdits',
    'tasks create "Move the types to the shared library" --add-dir ../shared',
    'tasks create --from-file task.md',
    'tasks create < task.json',
  ],
  run: async (call) => {
    const { client, output, style } = call;
    const wanted = await newTask(call);
    const task = valueOf(await showCall(call, { doing: 'creating it' }, () => client.tasks.create(wanted)));
    const states = output.mode === 'people' ? await readStates(client, [task]) : new Map<string, TaskState>();
    await print(output, { value: task, lines: () => taskLines(task, style, defined({ state: states.get(task.id) })) });
    return EXIT.done;
  },
};

/** The command line wins over the file. */
async function newTask(call: Call): Promise<NewTaskBody> {
  const { flags } = call;
  const said = { ...newTaskFields(call), ...(call.arg(0) === '' ? {} : { title: call.arg(0) }) };
  const file = flags.text('fromFile');
  const read = file === undefined ? {} : (await import('./task-file.ts')).readTaskFile(file);
  const asked = flags.has('interactive') ? await (await import('./ask-task.ts')).askTask({ title: said.title }) : {};
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  const body = await fieldsOf<Partial<NewTaskBody> & Pick<NewTaskBody, 'title'>>(call, { ...read, ...given, ...asked });
  const overrides = overridesSaid(call);
  return { ...body, ...defined({ overrides }), projectId: body.projectId ?? (await call.project()) };
}

function overridesSaid(call: Call): NewTaskBody['overrides'] {
  const said = defined({ model: call.flags.text('model'), ...chosenSettings(call) });
  return Object.keys(said).length === 0 ? undefined : said;
}

const update = verb({
  name: 'update',
  alias: 'edit',
  summary: 'change a task; only transitions change its status',
  arguments: [TASK_ID],
  flags: TASK_EDIT_FLAGS,
  notes: 'JSON on stdin instead: {"title"?, "description"?, "acceptanceCriteria"?: [{"text", "met"}], …}',
  examples: ['tasks update ATT-12 --priority critical', `tasks update ATT-12 <<< '{"tags":["parser"]}'`],
  call: async (call) => {
    const body = await fieldsOf<TaskEditBody>(call, taskEditFields(call));
    return call.client.tasks.update(call.arg(0), body);
  },
  show: (task, { style }) => taskLines(task, style),
});

const remove = verb({
  name: 'delete',
  summary: 'delete a task and all that belongs to it',
  arguments: [TASK_ID],
  examples: ['tasks delete ATT-12'],
  call: (call) => call.client.tasks.delete(call.arg(0)),
  show: (_, call) => [`Removed ${call.given(0)}.`],
});

export const TASK_RECORD_VERBS: ReadonlyArray<Verb> = [list, get, create, update, remove];
