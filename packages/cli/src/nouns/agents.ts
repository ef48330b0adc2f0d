import { table } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { QUEUE_STATE } from './queue.ts';
import { START_RUN, STOP_RUN } from './runs.ts';
import { type Verb, verb } from '../verbs/verb.ts';

const LIST_AGENTS = verb({
  name: 'list',
  alias: 'types',
  summary: 'list the kinds of agents: installed, or why not',
  examples: ['agents', 'agents list --json'],
  call: ({ client }) => client.agents.list(),
  ids: (agents) => agents.filter(({ available }) => available).map(({ type }) => type),
  show: (agents, { style }) =>
    table(agents, {
      style,
      none: 'No agents are known here.',
      columns: [
        { head: 'TYPE', cell: ({ type }) => type, paint: style.accent },
        { head: 'READY', cell: ({ available }) => (available ? 'yes' : 'no') },
        { head: 'DEFAULT', cell: ({ isDefault }) => (isDefault ? 'yes' : '') },
        { head: 'MODEL', cell: ({ defaults }) => defaults.model ?? '' },
        { head: 'NAME', cell: ({ displayName }) => displayName },
        { head: 'WHY NOT', cell: ({ reason }) => reason ?? '' },
      ],
    }),
});

const AGENT_VERBS: ReadonlyArray<Verb> = [
  LIST_AGENTS,
  { ...START_RUN, examples: ['agents start ATT-12 --mode plan', 'agents start ATT-12 --agent native'] },
  { ...STOP_RUN, examples: ['agents stop ATT-12.3'] },
  { ...QUEUE_STATE, name: 'queue', examples: ['agents queue', 'agents queue --all --json'] },
];

export const define = noun({
  description: 'The kinds of agents that can work here, and starting and stopping them.',
  verbs: AGENT_VERBS,
  bare: LIST_AGENTS,
});
