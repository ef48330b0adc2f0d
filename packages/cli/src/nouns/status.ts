import type { Prompt, Task } from '@attractor/platform';
import { isWholeId, type ProviderLimit, type StatusView, taskKeyOf, type TaskState } from '@attractor/api';
import { defined } from '@attractor/base';
import { CommandFailure, EXIT, type ExitCode, readableText } from '@attractor/console';
import { openText } from './queue.ts';
import {
  facts,
  moment,
  table,
  print,
  readStates,
  queuedRuns,
  runLines,
  runTable,
  sessionLines,
  stateLine,
  stepLines,
  valueOf,
} from '@attractor/console/lines';
import { oneVerb } from '../verbs/noun.ts';
import type { Call, Verb } from '../verbs/verb.ts';

const SHOW_STATUS: Verb = {
  name: 'status',
  summary: 'show what runs, what waits for you, the queue and the health of everything; with an id, of that alone',
  arguments: [{ name: '[id]', about: 'the key or id of a task, a run, a question or a session' }],
  flags: [
    {
      flag: '--session',
      about: 'the task as a coding session (default: the newest): stage, plan, what waits, what was done',
    },
  ],
  examples: ['status', 'status ATT-12', 'status --session ATT-12 --json', 'status ses_01m7 --json'],
  run: async (call) => {
    if (call.flags.has('session')) return showCodingSession(call);
    const id = await meantBy(call);
    const kind = id.split('_')[0] ?? '';
    await (id === '' ? showAll : (KINDS[kind] ?? showSession))({ ...call, arg: () => id });
    return EXIT.done;
  },
};

/** What is no task, run or question may be a session, which only the home folder knows. */
async function meantBy({ client, arg }: Call): Promise<string> {
  const given = arg(0);
  if (given === '' || given.startsWith('ses_') || isWholeId(given)) return given;
  const found = await client.ids.find(given, ['tsk', 'run', 'prm']);
  return !found.ok && found.error.code === 'not_found' ? given : valueOf(found).id;
}

const KINDS: Readonly<Record<string, (call: Call) => Promise<void>>> = {
  tsk: showTask,
  run: showRun,
  prm: showPrompt,
};

async function showAll(call: Call): Promise<void> {
  const view = valueOf(await call.client.health.status());
  await print(call.output, {
    value: view,
    lines: () => statusLines(view, call.style),
    ids: () => [...view.running, ...view.waiting].map(({ id }) => id),
  });
}

function statusLines(
  { work, runningLeft, inbox, queue, limits, health }: StatusView,
  style: Call['style'],
): ReadonlyArray<string> {
  const waiting = inbox.items.length + inbox.left;
  return [
    style.bold('Under way'),
    ...(work.length === 0 ? [style.dim('nothing')] : workTable(work, style)),
    ...(runningLeft > 0 ? [`and ${runningLeft} more: \`attractor runs list --status running --all\``] : []),
    '',
    style.bold('Waits for you'),
    ...(waiting === 0 ? [style.dim('nothing')] : inboxTable(inbox.items, style)),
    ...(inbox.left === 0 ? [] : [`and ${inbox.left} more`]),
    ...(waiting === 0 ? [] : ['`attractor inbox` shows each in full, with the command for every answer.']),
    '',
    style.bold('Queue'),
    `${queue.running} running, ${queue.queued} queued${queue.queued > 0 ? '; see `attractor queue`' : ''}`,
    ...(isOpen(queue) ? [] : facts([['state', openText(queue)]], style)),
    ...limits.map(limitLine),
    '',
    style.bold('Health'),
    ...health.parts.map(
      ({ ok, name, summary }) => `${ok ? style.good('ok ') : style.bad('bad')} ${name}: ${readableText(summary)}`,
    ),
  ];
}

function isOpen({ isPaused, lanes }: StatusView['queue']): boolean {
  return !isPaused && !lanes.some((lane) => lane.isPaused);
}

function workTable(work: StatusView['work'], style: Call['style']): ReadonlyArray<string> {
  return table(work, {
    style,
    none: '',
    columns: [
      { head: 'TASK', cell: ({ task }) => task.key, paint: style.accent },
      { head: 'STATE', cell: ({ state }) => state.label },
      { head: 'SINCE', cell: ({ state }) => moment(state.since) },
      { head: 'TITLE', cell: ({ task }) => task.title },
    ],
  });
}

function inboxTable(items: StatusView['inbox']['items'], style: Call['style']): ReadonlyArray<string> {
  return table(items, {
    style,
    none: '',
    columns: [
      { head: 'KEY', cell: ({ prompt, task }) => prompt?.key ?? task.key, paint: style.accent },
      { head: 'STATE', cell: ({ state }) => state.label },
      { head: 'SINCE', cell: ({ state }) => moment(state.since) },
      { head: 'TITLE', cell: ({ task }) => task.title },
    ],
  });
}

function waitingTable(prompts: ReadonlyArray<Prompt>, style: Call['style']): ReadonlyArray<string> {
  return table(prompts, {
    style,
    none: '',
    columns: [
      { head: 'KEY', cell: ({ key }) => key, paint: style.accent },
      { head: 'KIND', cell: ({ type }) => type.replaceAll('_', ' ') },
      { head: 'ASKED', cell: ({ createdAt }) => moment(createdAt) },
      { head: 'TASK', cell: taskKeyOf },
      { head: 'QUESTION', cell: ({ title }) => title },
    ],
  });
}

function limitLine({ account, until, reason }: ProviderLimit): string {
  return `${account} is limited until ${moment(until)} UTC: ${reason}`;
}

/** A task with its runs and what it waits for. */
async function showTask({ client, arg, output, style }: Call): Promise<void> {
  const id = arg(0);
  const [task, runs, prompts] = await Promise.all([
    client.tasks.get(id),
    client.runs.list({ taskId: id }),
    client.prompts.list({ taskId: id, status: 'pending' }),
  ]);
  const known = { task: valueOf(task), runs: valueOf(runs), waiting: valueOf(prompts) };
  const state = (await readStates(client, [known.task])).get(id) ?? null;
  const value = { ...known, state };
  const queued = output.mode === 'people' ? await queuedRuns(client, value.runs) : new Set<string>();
  await print(output, {
    value,
    ids: () => [value.task.id],
    lines: () => [
      ...taskFacts(value.task, state, style),
      '',
      ...runTable(value.runs, { style, queued }),
      ...(value.waiting.length === 0 ? [] : ['', style.bold('Waits for you'), ...waitingTable(value.waiting, style)]),
      ...(state === null ? [] : ['', style.bold('Next'), ...stepLines(state.steps, style)]),
    ],
  });
}

function taskFacts(
  { key, title, status, pipelineId, updatedAt }: Task,
  state: TaskState | null,
  style: Call['style'],
): ReadonlyArray<string> {
  return facts(
    [
      ['task', key],
      ['title', title],
      ['state', state === null ? '' : stateLine(state)],
      ['because', state?.detail],
      ['status', status.replaceAll('_', ' ')],
      ['pipeline', pipelineId],
      ['updated', moment(updatedAt)],
    ],
    style,
  );
}

async function showRun({ client, arg, output, style }: Call): Promise<void> {
  const run = valueOf(await client.runs.get(arg(0)));
  await print(output, { value: run, lines: () => runLines(run, style) });
}

async function showPrompt({ client, arg, output, style }: Call): Promise<void> {
  const prompt = valueOf(await client.prompts.get(arg(0)));
  await print(output, { value: prompt, lines: () => waitingTable([prompt], style) });
}

/** Of the project to use, or of all if there is none. */
async function showCodingSession({ client, arg, output, style, projectIfAny }: Call): Promise<ExitCode> {
  const session = valueOf(await client.coding.session(arg(0) === '' ? await newestTask() : arg(0)));
  await print(output, { value: session, lines: () => sessionLines(session, style), ids: () => [session.session_id] });
  return EXIT.done;

  async function newestTask(): Promise<string> {
    const projectId = await projectIfAny();
    const [newest] = valueOf(await client.tasks.list({ limit: 1, ...defined({ projectId: projectId ?? undefined }) }));
    if (newest !== undefined) return newest.id;
    throw new CommandFailure(
      'there is no task yet. Begin with one: attractor run "what should be done"',
      EXIT.notFound,
    );
  }
}

/** Sessions are files of the home folder; no server has to know them. */
async function showSession({ arg, output }: Call): Promise<void> {
  const [{ findSession, sessionsOfHome }, { sessionLine }] = await Promise.all([
    import('../sessions/found.ts'),
    import('../sessions/print.ts'),
  ]);
  const session = findSession(sessionsOfHome(), arg(0));
  await print(output, { value: session, lines: () => [sessionLine(session).trimEnd()] });
}

export const define = oneVerb(SHOW_STATUS);
