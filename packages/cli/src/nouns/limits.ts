import { moment, table } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Verb, verb } from '../verbs/verb.ts';

const LIST_LIMITS = verb({
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

const LIMIT_VERBS: ReadonlyArray<Verb> = [
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

export const define = noun({
  description: 'Limits of providers that runs wait for.',
  verbs: LIMIT_VERBS,
  bare: LIST_LIMITS,
});
