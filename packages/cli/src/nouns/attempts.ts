import { defined } from '@attractor/base';
import { RUN_MODES } from '@attractor/facts';
import type { AttemptGroup, AttemptsBody } from '@attractor/api';
import { CommandFailure, EXIT } from '@attractor/console';
import { costText, facts, moment, table } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const TASK = { name: '<task>', about: "the task's key or id" };
const ID = { name: '<id>', about: 'the id of the attempts' };

const ATTEMPT_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'list',
    summary: 'list the attempts at a task, the newest first',
    arguments: [TASK],
    examples: ['attempts list ATT-12'],
    call: ({ client, arg }) => client.attempts.list(arg(0)),
    show: (groups, { style }) =>
      table(groups, {
        style,
        none: 'No attempts: attractor attempts start TASK --count 3',
        columns: [
          { head: 'ID', cell: ({ id }) => id, paint: style.accent },
          { head: 'STATUS', cell: ({ status }) => status },
          { head: 'ATTEMPTS', cell: ({ attempts }) => String(attempts.length) },
          { head: 'STARTED', cell: ({ createdAt }) => moment(createdAt) },
          { head: 'WINNER', cell: ({ winnerRunId }) => winnerRunId ?? '' },
        ],
      }),
  }),
  verb({
    name: 'start',
    summary: 'let several agents try the same task; the checks choose',
    arguments: [TASK],
    flags: [
      { flag: '--count <n>', about: 'this many of the same kind (2 to 10)', number: true },
      { flag: '--with <agent:model>', about: 'one attempt with this agent, or agent:model', many: true },
      { flag: '--mode <mode>', about: 'what they do (default: implement)', choices: RUN_MODES },
    ],
    examples: [
      'attempts start ATT-12 --count 3',
      'attempts start ATT-12 --with native:gpt-5 --with native:claude-sonnet-4-5',
    ],
    call: ({ client, arg, flags }) => client.attempts.start(arg(0), attemptsBody(flags)),
    show: (group, { style }) => groupLines(group, style),
  }),
  verb({
    name: 'get',
    summary: 'show attempts, how each did, and who won',
    arguments: [ID],
    examples: ['attempts get atg_01m7 --json'],
    call: ({ client, arg }) => client.attempts.get(arg(0)),
    show: (group, { style }) => groupLines(group, style),
  }),
  verb({
    name: 'cancel',
    summary: 'stop every attempt that has not ended',
    arguments: [ID],
    examples: ['attempts cancel atg_01m7'],
    call: ({ client, arg }) => client.attempts.cancel(arg(0)),
    show: (group, { style }) => groupLines(group, style),
  }),
  verb({
    name: 'choose',
    summary: 'choose another attempt than the checks did',
    arguments: [ID, { name: '<run>', about: 'the run of the attempt' }],
    notes: "A commit on the task's branch brings in its work; later work stays. Compare them with `runs diff`.",
    examples: ['attempts choose atg_01m7 ATT-12.3'],
    call: ({ client, arg }) => client.attempts.choose(arg(0), arg(1)),
    show: (group, { style }) => groupLines(group, style),
  }),
];

function attemptsBody(flags: Call['flags']): AttemptsBody {
  const [n, chosen] = [flags.number('count'), flags.list('with')];
  const mode = RUN_MODES.find((known): known is NonNullable<AttemptsBody['mode']> => known === flags.text('mode'));
  if ((n === undefined) === (chosen === undefined))
    throw new CommandFailure('say how many with --count, or which with --with', EXIT.usage);
  return {
    ...defined({ mode, n }),
    ...(chosen === undefined ? {} : { attempts: chosen.map(choiceOf) }),
  };
}

function choiceOf(given: string): { readonly agentType?: string; readonly model?: string } {
  const [agentType = '', ...rest] = given.split(':');
  const model = rest.join(':');
  return { ...(agentType === '' ? {} : { agentType }), ...(model === '' ? {} : { model }) };
}

function groupLines(group: AttemptGroup, style: Call['style']): ReadonlyArray<string> {
  return [
    ...facts(
      [
        ['id', group.id],
        ['task', group.taskId],
        ['status', group.status],
        ['winner', group.winnerRunId],
      ],
      style,
    ),
    '',
    ...table(group.attempts, {
      style,
      none: '',
      columns: [
        { head: 'PLACE', cell: ({ place }) => (place === null ? '' : String(place)) },
        { head: 'RUN', cell: ({ run }) => run.key, paint: style.accent },
        { head: 'STATUS', cell: ({ run }) => run.status },
        { head: 'AGENT', cell: ({ run }) => run.agentType },
        { head: 'MODEL', cell: ({ run }) => run.model },
        { head: 'FAILED CHECKS', cell: ({ score }) => (score === null ? '' : String(score.failedChecks)) },
        { head: 'LINES', cell: ({ score }) => (score === null ? '' : String(score.changedLines)) },
        { head: 'COST', cell: ({ score }) => (score === null ? '' : costText(score.costUsd)) },
      ],
    }),
  ];
}

export const define = noun({
  description: "Several attempts at one task at the same time, judged by the project's checks.",
  verbs: ATTEMPT_VERBS,
});
