import type { CostQuery, Costs, Spend, StatsQuery } from '@attractor/api';
import { costText, tokensText, facts, table } from '@attractor/console/lines';
import type { Flag } from '../verbs/flag.ts';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const GROUPS = ['project', 'task', 'agent', 'model', 'day'] as const;

export const SPEND_FLAGS: ReadonlyArray<Flag> = [
  { flag: '--task <id>', about: 'only of this task' },
  { flag: '--agent <type>', about: 'only of this kind of agent' },
  { flag: '--model <name>', about: 'only of this model' },
  { flag: '--from <date>', about: 'from this day on (2026-11-15), or an ISO time' },
  { flag: '--to <date>', about: 'up to this day' },
  { flag: '--time-zone <name>', about: 'where days begin (default UTC)' },
  { flag: '--all', about: 'of every project' },
];

const LIST_COSTS = verb({
  name: 'list',
  summary: 'show what was spent, by project, task, agent, model or day',
  flags: [
    { flag: '--by <group>', about: 'project, task, agent, model or day (default: day)', choices: GROUPS },
    ...SPEND_FLAGS,
  ],
  notes: 'A price that is not known is never guessed: the sum is then a lower bound, marked with +.',
  examples: ['costs', 'costs list --by model --from 2026-11-01', 'costs list --by task --all --json'],
  call: async (call) => {
    const groupBy = GROUPS.find((group) => group === call.flags.text('by')) ?? 'day';
    return call.client.costs.list({ ...(await spendQuery(call)), groupBy } satisfies CostQuery);
  },
  ids: ({ rows }) => rows.map(({ key }) => key),
  show: (costs, { style }) => costLines(costs, style),
});

const COST_VERBS: ReadonlyArray<Verb> = [LIST_COSTS];

export async function spendQuery({ flags, projectIfAny }: Call): Promise<StatsQuery> {
  const taskId = flags.text('task');
  const projectId = flags.has('all') || taskId !== undefined ? null : await projectIfAny();
  const given = {
    projectId: projectId ?? undefined,
    taskId,
    agentType: flags.text('agent'),
    model: flags.text('model'),
    from: flags.text('from'),
    to: flags.text('to'),
    timeZone: flags.text('timeZone'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function costLines({ total, rows }: Costs, style: Call['style']): ReadonlyArray<string> {
  const listed = table(rows, {
    style,
    none: 'Nothing has been spent.',
    columns: [
      { head: 'COST', cell: spendText },
      { head: 'RUNS', cell: ({ runs }) => String(runs) },
      { head: 'IN', cell: ({ inputTokens }) => tokensText(inputTokens) },
      { head: 'FROM CACHE', cell: ({ cacheReadTokens }) => tokensText(cacheReadTokens) },
      { head: 'OUT', cell: ({ outputTokens }) => tokensText(outputTokens) },
      { head: 'FOR', cell: ({ label }) => label },
    ],
  });
  if (rows.length === 0) return listed;
  return [
    ...listed,
    '',
    ...facts(
      [
        ['total', spendText(total)],
        ['runs', total.runs],
        ['tokens', `${tokensText(total.inputTokens)} in, ${tokensText(total.outputTokens)} out`],
        [
          'no price',
          total.unpricedCalls === 0
            ? ''
            : `${total.unpricedCalls} calls whose price is unknown, or which the agent did not report`,
        ],
      ],
      style,
    ),
  ];
}

/** A lower bound is marked as such. */
export function spendText({ costUsd, knownCostUsd }: Spend): string {
  if (costUsd === null && knownCostUsd === 0) return costText(null);
  return costUsd === null ? `${costText(knownCostUsd)}+` : costText(costUsd);
}

export const define = noun({
  description: 'What runs cost.',
  verbs: COST_VERBS,
  bare: LIST_COSTS,
});
