import { defined } from '@attractor/base';
import type { BudgetBody, BudgetState } from '@attractor/api';
import { CommandFailure, EXIT } from '@attractor/console';
import { costText, tokensText, table } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const LIST_BUDGETS = verb({
  name: 'list',
  summary: 'list budgets and how much of each is used',
  examples: ['budgets list', 'budgets list --json'],
  call: ({ client }) => client.budgets.list(),
  show: (budgets, { style }) => budgetTable(budgets, style),
});

const BUDGET_VERBS: ReadonlyArray<Verb> = [
  LIST_BUDGETS,
  verb({
    name: 'set',
    summary: 'limit what may be spent on everything, a project or a task, once or each day',
    flags: [
      { flag: '--everything', about: 'for all projects together' },
      { flag: '--task <id>', about: 'for this task (default: for the project)' },
      { flag: '--usd <amount>', about: 'in dollars' },
      { flag: '--tokens <n>', about: 'in tokens', number: true },
      { flag: '--per-day', about: 'again each day' },
      { flag: '--time-zone <name>', about: 'where the day begins (default UTC)' },
      {
        flag: '--when-reached <what>',
        about: 'ask a person, or stop after the turn (default stop)',
        choices: ['ask', 'stop'],
      },
    ],
    notes:
      'JSON on stdin instead: {"scope": "all"|"project"|"task", "subjectId"?, "period"?, "limitUsd"?, "limitTokens"?, …}',
    examples: ['budgets set --usd 20 --per-day', 'budgets set --task ATT-12 --usd 2.50 --when-reached ask'],
    call: async (call) => call.client.budgets.set(await budgetBody(call)),
    show: (budget, { style }) => budgetTable([budget], style),
  }),
  verb({
    name: 'delete',
    summary: 'remove a budget',
    arguments: [{ name: '<id>', about: "the budget's id" }],
    examples: ['budgets delete bud_01m7'],
    call: ({ client, arg }) => client.budgets.delete(arg(0)),
    show: (_nothing, { arg }) => [`Deleted ${arg(0)}.`],
  }),
];

async function budgetBody(call: Call): Promise<BudgetBody> {
  const { flags } = call;
  const [limitUsd, limitTokens, taskId, timeZone] = [
    usdOf(flags.text('usd')),
    flags.number('tokens'),
    flags.text('task'),
    flags.text('timeZone'),
  ];
  if (limitUsd === undefined && limitTokens === undefined) {
    const input = await call.input();
    if (input !== null) return input as BudgetBody;
    throw new CommandFailure('give --usd or --tokens (see --help)', EXIT.usage);
  }
  return {
    ...(flags.has('everything') ? { scope: 'all' } : await subjectOf(call, taskId)),
    period: flags.has('perDay') ? 'day' : 'total',
    ...defined({ timeZone, limitUsd, limitTokens }),
    ...(flags.text('whenReached') === 'ask' ? { whenReached: 'ask' } : {}),
  };
}

async function subjectOf(call: Call, taskId: string | undefined): Promise<Pick<BudgetBody, 'scope' | 'subjectId'>> {
  return taskId === undefined
    ? { scope: 'project', subjectId: await call.project() }
    : { scope: 'task', subjectId: taskId };
}

function usdOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const usd = Number(given.replace(/^\$/, ''));
  if (given.trim() !== '' && Number.isFinite(usd) && usd >= 0) return usd;
  throw new CommandFailure(`--usd: expected an amount such as 2.50, not '${given}'`, EXIT.usage);
}

function budgetTable(budgets: ReadonlyArray<BudgetState>, style: Call['style']): ReadonlyArray<string> {
  return table(budgets, {
    style,
    none: 'No budgets: attractor budgets set --usd 20 --per-day',
    columns: [
      { head: 'ID', cell: ({ id }) => id, paint: style.accent },
      { head: 'FOR', cell: ({ scope, subjectId }) => (subjectId === null ? 'everything' : `${scope} ${subjectId}`) },
      { head: 'PER', cell: ({ period, timeZone }) => (period === 'day' ? `day (${timeZone})` : 'total') },
      { head: 'LIMIT', cell: limitText },
      { head: 'SPENT', cell: spentText },
      { head: 'HELD', cell: (budget) => amountText(budget, [budget.reservedUsd, budget.reservedTokens]) },
      { head: 'THEN', cell: ({ whenReached }) => whenReached },
      {
        head: 'STATE',
        cell: ({ isReached }) => (isReached ? 'reached' : 'open'),
        paint: (text, { isReached }) => (isReached ? style.bad(text) : text),
      },
    ],
  });
}

function limitText(budget: BudgetState): string {
  return amountText(budget, [budget.limitUsd ?? 0, budget.limitTokens ?? 0]);
}

/** What nobody knows the price of is no zero. */
function spentText(budget: BudgetState): string {
  const known = amountText(budget, [budget.spentUsd, budget.spentTokens]);
  if (budget.limitUsd === null || budget.unpricedCalls === 0) return known;
  return budget.spentUsd === 0 && budget.limitTokens === null ? 'unknown' : `${known}, and unknown`;
}

/** In the budget's own unit. */
function amountText({ limitUsd, limitTokens }: BudgetState, [usd, tokens]: readonly [number, number]): string {
  return [
    ...(limitUsd === null ? [] : [costText(usd)]),
    ...(limitTokens === null ? [] : [`${tokensText(tokens)} tokens`]),
  ].join(', ');
}

export const define = noun({
  description: 'What may be spent on everything, a project or a task.',
  verbs: BUDGET_VERBS,
  bare: LIST_BUDGETS,
});
