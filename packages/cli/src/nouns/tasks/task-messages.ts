import { EFFORTS, PERMISSION_MODES } from '@attractor/facts';
import type { MessageBody, MessageDelivery, TaskSettings, TaskSettingsBody } from '@attractor/api';
import { fieldsOf } from '../../verbs/fields.ts';
import { facts, moment, table } from '@attractor/console/lines';
import { type Call, type Verb, verb } from '../../verbs/verb.ts';
import { TASK_ID } from './task-records.ts';

const WHEN: Readonly<Record<MessageDelivery, string>> = {
  between_rounds: 'The agent reads it before it asks its model again.',
  after_turn: "This agent can't be reached while it works: it gets this when its turn is over.",
  next_run: 'No agent is at work: the next one begins with it.',
};

const WHEN_INTERRUPTED: Readonly<Record<MessageDelivery, string>> = {
  ...WHEN,
  between_rounds: 'The agent drops what it is doing and continues with this.',
  after_turn: "This agent can't be reached while it works: its turn is stopped, and a new one begins with this.",
};

const message = verb({
  name: 'message',
  alias: 'steer',
  summary: 'say something to the agent of a task, even while it works',
  arguments: [TASK_ID, { name: '[text]', about: 'what to say' }],
  flags: [{ flag: '--interrupt', about: 'the agent drops what it is doing and continues with this' }],
  notes:
    'It is kept in the thread and delivered once, even across restarts. JSON on stdin instead of the text: {"text": …, "interrupts"?: true}',
  examples: [
    'tasks message ATT-12 "Use the parser in lib/dates, do not write another"',
    'tasks message ATT-12 "Stop the tests, they need a database" --interrupt',
  ],
  call: async (call) => {
    const text = call.arg(1) === '' ? undefined : call.arg(1);
    const interrupts = call.flags.has('interrupt') ? true : undefined;
    return call.client.messages.send(call.arg(0), await fieldsOf<MessageBody>(call, { text, interrupts }));
  },
  ids: ({ message: sent }) => [sent.id],
  show: ({ delivery, message: { interrupts } }) => [interrupts ? WHEN_INTERRUPTED[delivery] : WHEN[delivery]],
});

const messages = verb({
  name: 'messages',
  summary: 'list what was said to the agents of a task, and whether they got it',
  arguments: [TASK_ID],
  examples: ['tasks messages ATT-12'],
  call: (call) => call.client.messages.list(call.arg(0)),
  show: (all, { style }) =>
    table(all, {
      style,
      none: 'Nothing has been said yet: attractor tasks message TASK "…"',
      columns: [
        { head: 'AT', cell: ({ createdAt }) => moment(createdAt), paint: style.dim },
        { head: 'BY', cell: ({ author }) => author.name ?? author.type },
        { head: 'GOT BY', cell: ({ runId }) => runId ?? 'nobody yet' },
        { head: 'MESSAGE', cell: ({ text }) => text },
      ],
    }),
});

const settings = verb({
  name: 'settings',
  summary: 'show or change the model, the effort and the permission mode of a task',
  arguments: [TASK_ID],
  flags: [
    { flag: '--model <id>', about: 'the model; none: as configured' },
    { flag: '--effort <effort>', about: 'how hard the model thinks', choices: [...EFFORTS, 'none'] },
    { flag: '--permission-mode <mode>', about: 'what runs without asking', choices: [...PERMISSION_MODES, 'none'] },
  ],
  notes:
    'They apply to every later run of the task, and to one that works or waits from its next round on. Rules that deny or ask apply in\nevery mode, and read-only runs stay read-only. What a task may spend: attractor budgets set --task ID.',
  examples: ['tasks settings ATT-12', 'tasks settings ATT-12 --model claude-opus-4-5 --permission-mode default'],
  call: (call) => {
    const body = bodyOf(call);
    const id = call.arg(0);
    return Object.keys(body).length === 0
      ? call.client.messages.settings(id)
      : call.client.messages.changeSettings(id, body);
  },
  ids: () => [],
  show: (chosen, { style }) => settingLines(chosen, style),
});

function bodyOf({ flags }: Call): TaskSettingsBody {
  const said = [
    ['model', flags.text('model')],
    ['effort', flags.text('effort')],
    ['permissionMode', flags.text('permissionMode')],
  ].flatMap(([name, value]) => (value === undefined ? [] : [[name, value === 'none' ? null : value]]));
  return Object.fromEntries(said);
}

function settingLines({ model, effort, permissionMode, runId }: TaskSettings, style: Call['style']) {
  return facts(
    [
      ['model', model ?? 'as configured'],
      ['effort', effort ?? 'as configured'],
      ['permission mode', permissionMode ?? 'as configured'],
      ['run at work', runId ?? ''],
    ],
    style,
  );
}

export const TASK_MESSAGE_VERBS: ReadonlyArray<Verb> = [message, messages, settings];
