import { once } from '@attractor/base';
import { z } from 'zod';
import { list, time } from './shape.ts';

export const sessionAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: z.string(),
      title: z.string(),
      cwd: z.string(),
      model: z.string().nullable(),
      turns: z.number(),
      tokens: z.number(),
      costUsd: z.number().nullable(),
      createdAt: time(),
      updatedAt: time(),
      forkedFrom: z.strictObject({ sessionId: z.string(), turn: z.number() }).nullable(),
      isInUse: z.boolean(),
    })
    .meta({ id: 'AgentSession' }),
);

export const sessionHitAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({ session: sessionAnswer(), turn: z.number(), at: time(), excerpt: z.string() })
    .meta({ id: 'SessionHit' }),
);

export const sessionTurnAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      turn: z.number(),
      kind: z.enum(['user', 'steering', 'assistant', 'tool_results']),
      at: time(),
      text: z.string(),
      calls: list(z.strictObject({ toolCallId: z.string(), toolName: z.string(), args: z.unknown() })),
      results: list(z.strictObject({ toolCallId: z.string(), output: z.string(), isError: z.boolean() })),
    })
    .meta({ id: 'SessionTurn' }),
);

export const liveSessionAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      isWorking: z.boolean(),
      text: z.string(),
      asks: list(
        z.strictObject({
          id: z.number(),
          kind: z.enum(['approval', 'question', 'plan']),
          title: z.string(),
          text: z.string(),
          why: z.string(),
          options: list(z.string()),
        }),
      ),
      problem: z.string().nullable(),
    })
    .meta({ id: 'LiveSession' }),
);

export const forkedSessionAnswer = /* @__PURE__ */ once(() => z.strictObject({ id: z.string() }));
