import { once } from '@attractor/base';
import { z } from 'zod';
import { runAnswer } from './run.ts';
import { list, time } from './shape.ts';

const spend = () => ({
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  costUsd: z.number().nullable(),
  knownCostUsd: z.number(),
  unpricedCalls: z.number(),
});

export const costsAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      total: z.strictObject({ ...spend(), runs: z.number() }),
      rows: list(z.strictObject({ ...spend(), key: z.string(), label: z.string(), runs: z.number() })),
    })
    .meta({ id: 'Costs' }),
);

const waitingTimes = () =>
  z.strictObject({
    onQueueMs: z.number(),
    onAgentsMs: z.number(),
    onChecksMs: z.number(),
    onPeopleMs: z.number(),
  });

const stats = () => ({
  runs: z.number(),
  running: z.number(),
  completed: z.number(),
  failed: z.number(),
  timeout: z.number(),
  cancelled: z.number(),
  successRate: z.number().nullable(),
  meanDurationMs: z.number().nullable(),
  medianDurationMs: z.number().nullable(),
  retries: z.number(),
  accepted: z.number(),
  waiting: waitingTimes(),
});

export const statsAnswer = /* @__PURE__ */ once(() => z.strictObject(stats()).meta({ id: 'RunStats' }));

export const comparisonAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      ...stats(),
      agentType: z.string(),
      model: z.string(),
      spend: z.strictObject(spend()),
      costPerCompletedUsd: z.number().nullable(),
      costPerAcceptedUsd: z.number().nullable(),
    })
    .meta({ id: 'AgentComparison' }),
);

export const timelineAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      run: runAnswer(),
      spans: list(
        z.strictObject({
          kind: z.enum(['queue', 'step', 'tool', 'check', 'person']),
          name: z.string(),
          start: time(),
          end: time().nullable(),
          ok: z.boolean().nullable(),
        }),
      ),
      waiting: waitingTimes(),
      spend: list(z.strictObject({ ...spend(), model: z.string() })),
    })
    .meta({ id: 'RunTimeline' }),
);

export const budgetAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: z.string(),
      scope: z.enum(['all', 'project', 'task']),
      subjectId: z.string().nullable(),
      period: z.enum(['total', 'day']),
      timeZone: z.string(),
      limitUsd: z.number().nullable(),
      limitTokens: z.number().nullable(),
      whenReached: z.enum(['ask', 'stop']),
      createdAt: time(),
      updatedAt: time(),
      spentUsd: z.number(),
      spentTokens: z.number(),
      reservedUsd: z.number(),
      reservedTokens: z.number(),
      unpricedCalls: z.number(),
      isReached: z.boolean(),
    })
    .meta({ id: 'BudgetState' }),
);
