import { EXIT } from '../exit.ts';
import { facts, moment, table } from './layout.ts';
import { type Verb, verb } from './verb.ts';

export const SUPERVISE = verb({
  name: 'supervise',
  summary: 'look once for runs that died or hang, work that waits too long, and what can be tidied up',
  flags: [{ flag: '--once', about: 'one round (the default: servers and workers do it by themselves every minute)' }],
  examples: ['supervise --once', 'supervise --once --json'],
  call: ({ client }) => client.health.supervise(),
  ids: ({ findings }) => findings.map(({ check }) => check),
  show: ({ findings, skipped, problems }, { style }) => [
    ...table(findings, {
      style,
      none: 'All is well.',
      columns: [
        { head: 'CHECK', cell: ({ check }) => check },
        { head: 'TASK', cell: ({ taskId }) => taskId ?? '' },
        { head: 'WHAT', cell: ({ summary }) => summary },
      ],
    }),
    ...(skipped.length === 0 ? [] : [`Left to another process that is at it: ${skipped.join(', ')}`]),
    ...problems.map((problem) => style.bad(problem)),
  ],
  exit: ({ problems }) => (problems.length === 0 ? EXIT.done : EXIT.failed),
});

export const LIST_LIMITS = verb({
  name: 'list',
  summary: 'list accounts that wait for their provider',
  examples: ['limits', 'limits list --json'],
  call: ({ client }) => client.health.limits(),
  ids: (limits) => limits.map(({ account }) => account),
  show: (limits, { style }) =>
    table(limits, {
      style,
      none: 'No account is limited.',
      columns: [
        { head: 'ACCOUNT', cell: ({ account }) => account, paint: style.accent },
        { head: 'UNTIL (UTC)', cell: ({ until }) => moment(until) },
        { head: 'WHY', cell: ({ reason }) => reason },
      ],
    }),
});

export const LIMIT_VERBS: ReadonlyArray<Verb> = [
  LIST_LIMITS,
  verb({
    name: 'lift',
    summary: 'use an account again now',
    arguments: [{ name: '<account>', about: 'as `limits list` names it' }],
    examples: ['limits lift anthropic'],
    call: ({ client, arg }) => client.health.liftLimit(arg(0)),
    ids: ({ account }) => [account],
    show: ({ account }) => [`${account} is used again.`],
  }),
];

export const SHOW_DISK = verb({
  name: 'disk',
  summary: 'show what takes room on this machine',
  examples: ['disk', 'disk --json'],
  call: ({ client }) => client.health.disk(),
  ids: ({ worktrees }) => worktrees.map(({ path }) => path),
  show: ({ totalBytes, maxBytes, freeBytes, homeBytes, worktrees }, { style }) => [
    ...facts(
      [
        ['used', bytesText(totalBytes)],
        ['at most', maxBytes === null ? 'no bound' : bytesText(maxBytes)],
        ['free', bytesText(freeBytes)],
        ['home', bytesText(homeBytes)],
      ],
      style,
    ),
    '',
    ...table(worktrees, {
      style,
      none: 'No worktrees.',
      columns: [
        { head: 'SIZE', cell: ({ bytes }) => bytesText(bytes) },
        { head: 'TASK', cell: ({ taskId }) => taskId },
        { head: 'PATH', cell: ({ path }) => path },
      ],
    }),
  ],
});

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

function bytesText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power] ?? ''}`;
}
