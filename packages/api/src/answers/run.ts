import { once } from '@attractor/base';
import { RUN_MODES } from '@attractor/facts';
import { z } from 'zod';
import { STEPS } from '../run-steps.ts';
import { id, list, record, time } from './shape.ts';

export const runMode = () => z.enum(RUN_MODES);

const checkFields = () => ({
  name: z.string(),
  command: z.string(),
  phase: z.enum(['base', 'branch']),
  commit: z.string(),
  passed: z.boolean(),
  exitCode: z.number().nullable(),
  severity: z.enum(['error', 'warning']),
  durationMs: z.number(),
  output: z.string(),
  timedOut: z.literal(true).exactOptional(),
  known: z.literal(true).exactOptional(),
  expected: z.literal(true).exactOptional(),
  outputFile: z.string().exactOptional(),
});

export const checkAnswer = /* @__PURE__ */ once(() => z.strictObject(checkFields()).meta({ id: 'CheckResult' }));

export const runCheckAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ ...checkFields(), runId: id('run'), mode: runMode() }).meta({ id: 'RunCheck' }),
);

const tokenUsage = () =>
  z.strictObject({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cacheReadTokens: z.number().exactOptional(),
    cacheWriteTokens: z.number().exactOptional(),
    totalCost: z.number().nullable().meta({ description: 'USD; null if a price is not known.' }),
  });

export const runAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: id('run'),
      key: z.string(),
      taskId: id('tsk'),
      projectId: id('prj'),
      agentType: z.string(),
      mode: runMode(),
      status: z.enum(['running', 'completed', 'failed', 'cancelled', 'timeout']),
      model: z.string(),
      outcome: z.string().nullable(),
      payload: z.unknown(),
      tokenUsage: tokenUsage().nullable(),
      checks: list(checkAnswer()),
      branch: z.string().nullable(),
      worktree: z.string().nullable(),
      durationMs: z.number().nullable(),
      error: z.string().nullable(),
      startedAt: time(),
      finishedAt: time().nullable(),
      retry: z.strictObject({ attempt: z.number(), of: id('run') }).exactOptional(),
    })
    .meta({ id: 'AgentRun' }),
);

export const spentAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cacheReadTokens: z.number(),
      cacheWriteTokens: z.number(),
      costUsd: z.number().nullable(),
    })
    .meta({ id: 'Spent' }),
);

export const stepAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      step: z.enum(STEPS),
      state: z.enum(['pending', 'running', 'done', 'failed', 'skipped']),
      startedAt: time().nullable(),
      finishedAt: time().nullable(),
      durationMs: z.number().nullable(),
      attempts: z.number(),
    })
    .meta({ id: 'StepState' }),
);

const piece = () =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('text'), key: z.string(), text: z.string() }),
    z.strictObject({ kind: z.literal('thinking'), key: z.string(), text: z.string() }),
    z.strictObject({
      kind: z.literal('notice'),
      key: z.string(),
      level: z.enum(['info', 'warning', 'error']),
      text: z.string(),
    }),
    z.strictObject({
      kind: z.literal('tool'),
      key: z.string(),
      toolCallId: z.string(),
      toolName: z.string(),
      input: record(),
      startedAt: time(),
      result: z.strictObject({ output: z.string(), isError: z.boolean(), at: time() }).nullable(),
    }),
  ]);

const transcriptTurn = () =>
  z.strictObject({
    key: z.string(),
    at: time(),
    pieces: list(piece()),
    spent: spentAnswer().nullable(),
    whole: z.boolean(),
  });

export const runViewAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      seq: z.number(),
      runId: z.string(),
      run: runAnswer().nullable(),
      steps: list(stepAnswer()),
      turns: list(transcriptTurn()),
      checks: list(checkAnswer()),
      spent: spentAnswer(),
      told: z.record(z.string(), z.literal(true)),
    })
    .meta({ id: 'RunView' }),
);

export const attemptsAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: z.string(),
      taskId: z.string(),
      projectId: z.string(),
      status: z.enum(['running', 'judged', 'cancelled']),
      winnerRunId: z.string().nullable(),
      createdAt: time(),
      attempts: list(
        z.strictObject({
          number: z.number(),
          run: runAnswer(),
          score: z
            .strictObject({
              succeeded: z.boolean(),
              failedChecks: z.number(),
              changedLines: z.number(),
              costUsd: z.number().nullable(),
            })
            .nullable(),
          place: z.number().nullable(),
        }),
      ),
    })
    .meta({ id: 'AttemptGroup' }),
);
