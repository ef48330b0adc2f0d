import type { RunStats } from '@attractor/api';
import { costText, durationText, facts, table } from '@attractor/console/lines';
import { SPEND_FLAGS, spendQuery, spendText } from './costs.ts';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const SHOW_STATS = verb({
  name: 'show',
  summary: 'show how runs went: success, duration, retries and waiting',
  flags: SPEND_FLAGS,
  examples: ['stats', 'stats show --from 2026-11-01 --all --json'],
  call: async (call) => call.client.costs.stats(await spendQuery(call)),
  ids: () => [],
  show: (stats, { style }) => statLines(stats, style),
});

const STAT_VERBS: ReadonlyArray<Verb> = [
  SHOW_STATS,
  verb({
    name: 'agents',
    summary: 'compare agents and models',
    flags: SPEND_FLAGS,
    examples: ['stats agents', 'stats agents --all --json'],
    call: async (call) => call.client.costs.compareAgents(await spendQuery(call)),
    ids: (agents) => agents.map(({ agentType, model }) => `${agentType} ${model}`),
    show: (agents, { style }) =>
      table(agents, {
        style,
        none: 'No runs to compare.',
        columns: [
          { head: 'AGENT', cell: ({ agentType }) => agentType, paint: style.accent },
          { head: 'MODEL', cell: ({ model }) => model },
          { head: 'RUNS', cell: ({ runs }) => String(runs) },
          { head: 'SUCCESS', cell: ({ successRate }) => shareText(successRate) },
          { head: 'MEDIAN', cell: ({ medianDurationMs }) => durationText(medianDurationMs) },
          { head: 'RETRIES', cell: ({ retries }) => String(retries) },
          { head: 'COST', cell: ({ spend }) => spendText(spend) },
          { head: 'PER COMPLETED', cell: ({ costPerCompletedUsd }) => costText(costPerCompletedUsd) },
          { head: 'ACCEPTED', cell: ({ accepted }) => String(accepted) },
          { head: 'PER ACCEPTED', cell: ({ costPerAcceptedUsd }) => costText(costPerAcceptedUsd) },
        ],
      }),
  }),
  verb({
    name: 'run',
    summary: 'show what a run did when, and what it waited for',
    arguments: [{ name: '<id>', about: "the run's key or id" }],
    examples: ['stats run ATT-12.3', 'stats run ATT-12.3 --json'],
    call: ({ client, arg }) => client.costs.timeline(arg(0)),
    ids: ({ run }) => [run.id],
    show: ({ spans, waiting }, { style }) => [
      ...table(spans, {
        style,
        none: 'Nothing happened yet.',
        columns: [
          { head: 'START', cell: ({ start }) => start.slice(0, 19).replace('T', ' ') },
          {
            head: 'TIME',
            cell: ({ start, end }) => durationText(end === null ? null : Date.parse(end) - Date.parse(start)),
          },
          { head: 'KIND', cell: ({ kind }) => kind },
          { head: 'WHAT', cell: ({ name, ok }) => (ok === false ? `${name} (failed)` : name) },
        ],
      }),
      '',
      ...waitingLines(waiting, style),
    ],
  }),
];

function statLines(stats: RunStats, style: Call['style']): ReadonlyArray<string> {
  return [
    ...facts(
      [
        ['runs', stats.runs],
        ['running', stats.running],
        ['completed', stats.completed],
        ['failed', stats.failed],
        ['timed out', stats.timeout],
        ['cancelled', stats.cancelled],
        ['success', shareText(stats.successRate)],
        ['mean time', durationText(stats.meanDurationMs)],
        ['median time', durationText(stats.medianDurationMs)],
        ['retries', stats.retries],
        ['accepted', stats.accepted],
      ],
      style,
    ),
    '',
    style.bold('Time went'),
    ...waitingLines(stats.waiting, style),
  ];
}

function waitingLines(waiting: RunStats['waiting'], style: Call['style']): ReadonlyArray<string> {
  return facts(
    [
      ['on the queue', durationText(waiting.onQueueMs)],
      ['on agents', durationText(waiting.onAgentsMs)],
      ['on checks', durationText(waiting.onChecksMs)],
      ['on people', durationText(waiting.onPeopleMs)],
    ],
    style,
  );
}

function shareText(share: number | null): string {
  return share === null ? '' : `${Math.round(share * 100)} %`;
}

export const define = noun({
  description: 'How runs went, and how agents compare.',
  verbs: STAT_VERBS,
  bare: SHOW_STATS,
});
