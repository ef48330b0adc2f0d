import { defined } from '@attractor/base';
import { RUN_MODES } from '@attractor/facts';
import { isWholeId, type Schedule, type ScheduleAction, type ScheduleBody } from '@attractor/api';
import { CommandFailure, EXIT } from '@attractor/console';
import { facts, moment, table, valueOf } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const SCHEDULE_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'list',
    summary: 'list the schedules',
    flags: [{ flag: '--all', about: 'of every project' }],
    examples: ['schedules list', 'schedules list --all --json'],
    call: async ({ client, flags, projectIfAny }) => {
      const projectId = flags.has('all') ? null : await projectIfAny();
      return client.schedules.list(projectId === null ? {} : { projectId });
    },
    show: (schedules, { style }) =>
      table(schedules, {
        style,
        none: 'No schedules: attractor schedules create --help',
        columns: [
          { head: 'ID', cell: ({ id }) => id, paint: style.accent },
          { head: 'ON', cell: ({ isEnabled }) => (isEnabled ? 'yes' : 'no') },
          { head: 'CRON', cell: ({ cron }) => cron },
          { head: 'ZONE', cell: ({ timeZone }) => timeZone },
          { head: 'NEXT (UTC)', cell: ({ nextAt }) => moment(nextAt) },
          { head: 'DOES', cell: ({ action }) => actionText(action) },
          { head: 'NAME', cell: ({ name }) => name },
          { head: 'LAST TIME', cell: lastText },
        ],
      }),
  }),
  verb({
    name: 'create',
    alias: 'save',
    summary: 'add or change a schedule',
    flags: [
      { flag: '--id <id>', about: 'change this schedule' },
      { flag: '--name <text>', about: 'its name' },
      { flag: '--cron <line>', about: 'minute, hour, day, month, weekday; or a word such as @daily' },
      { flag: '--time-zone <name>', about: 'such as Europe/Berlin (default UTC)' },
      { flag: '--off', about: 'keep it, but do nothing for now' },
      { flag: '--title <text>', about: 'make a task with this title' },
      { flag: '--template <name>', about: 'make a task from this template' },
      { flag: '--description <text>', about: 'the description of the task' },
      { flag: '--task <id>', about: 'take this task instead of making one' },
      { flag: '--to <status>', about: 'move the task there' },
      { flag: '--start <mode>', about: 'start an agent on it', choices: RUN_MODES },
    ],
    notes:
      'JSON on stdin instead: {"projectId", "name", "cron", "timeZone"?, "isEnabled"?, "action": {"kind": "create"|"move"|"start", …}}\nTimes missed while nothing was running are made up for once.',
    examples: [
      'schedules create --name nightly --cron "0 3 * * *" --title "Update dependencies" --start implement',
      'schedules create --name weekly --cron @weekly --task ATT-12 --start review',
    ],
    call: async (call) => call.client.schedules.save(await scheduleBody(call)),
    show: (schedule, { style }) => scheduleLines(schedule, style),
  }),
  verb({
    name: 'delete',
    summary: 'remove a schedule',
    arguments: [{ name: '<id>', about: "the schedule's id, or its name" }],
    examples: ['schedules delete sch_01m7', 'schedules delete nightly'],
    call: async (call) => call.client.schedules.delete(await scheduleCalled(call, call.arg(0))),
    show: (_nothing, { arg }) => [`Deleted ${arg(0)}.`],
  }),
];

/** Of several with that name the one of this project counts; if that is not clear nothing is done. */
async function scheduleCalled({ client, projectIfAny }: Call, given: string): Promise<string> {
  if (isWholeId(given)) return given;
  const named = valueOf(await client.schedules.list({})).filter(({ name }) => name === given);
  const projectId = named.length > 1 ? await projectIfAny() : null;
  const own = named.filter((one) => one.projectId === projectId);
  const [only, ...more] = own.length === 0 ? named : own;
  if (only === undefined)
    throw new CommandFailure(`there is no schedule ${given}. See \`attractor schedules list --all\`.`, EXIT.notFound);
  if (more.length === 0) return only.id;
  const ids = [only, ...more].map(({ id }) => id).join(', ');
  throw new CommandFailure(`several schedules are called ${given}: say which by its id (${ids})`, EXIT.refused);
}

async function scheduleBody(call: Call): Promise<ScheduleBody> {
  const { flags } = call;
  const [name, cron, id, timeZone] = [flags.text('name'), flags.text('cron'), flags.text('id'), flags.text('timeZone')];
  if (name === undefined && cron === undefined) {
    const input = await call.input();
    if (input !== null) return input as ScheduleBody;
  }
  if (name === undefined || cron === undefined)
    throw new CommandFailure('give --name and --cron (see --help)', EXIT.usage);
  return {
    ...defined({ id }),
    projectId: await call.project(),
    name,
    cron,
    ...defined({ timeZone }),
    isEnabled: !flags.has('off'),
    action: actionOf(call),
  };
}

function actionOf({ flags }: Call): ScheduleBody['action'] {
  const [taskId, to, title] = [flags.text('task'), flags.text('to'), flags.text('title')];
  const [template, description] = [flags.text('template'), flags.text('description')];
  const mode = RUN_MODES.find((known): known is Mode => known === flags.text('start'));
  if (taskId !== undefined && mode !== undefined) return { kind: 'start', taskId, mode };
  if (taskId !== undefined && to !== undefined) return { kind: 'move', taskId, to };
  if (taskId !== undefined) throw new CommandFailure('--task needs --to or --start', EXIT.usage);
  const words = title ?? template;
  if (words === undefined)
    throw new CommandFailure('say what should be done: --title, --template or --task', EXIT.usage);
  return {
    kind: 'create',
    task: {
      title: words,
      ...defined({ template, description }),
    },
    ...defined({ to, start: mode }),
  };
}

type Mode = Extract<ScheduleBody['action'], { kind: 'start' }>['mode'];

function actionText(action: ScheduleAction): string {
  if (action.kind === 'start') return `${action.mode} on ${action.taskId}`;
  if (action.kind === 'move') return `move ${action.taskId} to ${action.to}`;
  const to = action.to === undefined ? '' : `, to ${action.to}`;
  return `new task "${action.task.title}"${to}${action.start === undefined ? '' : `, ${action.start}`}`;
}

/** What a schedule did is a task; anything else says why it did nothing. */
function lastText({ lastAt, lastResult }: Schedule): string {
  if (lastAt === null) return '';
  return lastResult?.startsWith('tsk_') === true ? moment(lastAt) : `failed: ${lastResult ?? ''}`;
}

function scheduleLines(schedule: Schedule, style: Call['style']): ReadonlyArray<string> {
  return facts(
    [
      ['id', schedule.id],
      ['name', schedule.name],
      ['cron', `${schedule.cron} (${schedule.timeZone})`],
      ['on', schedule.isEnabled ? 'yes' : 'no'],
      ['does', actionText(schedule.action)],
      ['next', `${moment(schedule.nextAt)} UTC`],
      ['last', schedule.lastAt === null ? '' : `${moment(schedule.lastAt)} UTC`],
      ['result', schedule.lastResult],
    ],
    style,
  );
}

export const define = noun({
  description: 'Tasks and runs that start on a schedule.',
  verbs: SCHEDULE_VERBS,
});
