import { once } from '@attractor/base';
import { PRIORITIES } from '@attractor/facts';
import { z } from 'zod';
import { list, time } from './shape.ts';

const lane = () =>
  z.strictObject({
    projectId: z.string(),
    isPaused: z.boolean(),
    maxRunning: z.number().nullable(),
    running: z.number(),
    queued: z.number(),
    waiting: z.number(),
  });

const job = () =>
  z.strictObject({
    jobId: z.string(),
    key: z.string(),
    runId: z.string(),
    taskId: z.string(),
    projectId: z.string(),
    state: z.enum(['queued', 'running', 'waiting']),
    priority: z.enum(PRIORITIES),
    agentType: z.string(),
    account: z.string(),
    labels: list(z.string()),
    attempts: z.number(),
    notBefore: time().nullable(),
    blocked: z.strictObject({ code: z.string(), message: z.string(), until: time().exactOptional() }).nullable(),
    owner: z.string().nullable(),
    createdAt: time(),
  });

export const queueAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      isPaused: z.boolean(),
      running: z.number(),
      queued: z.number(),
      waiting: z.number(),
      lanes: list(lane()),
      limits: list(z.strictObject({ kind: z.enum(['agent', 'account']), name: z.string(), max: z.number() })),
      jobs: list(job()),
    })
    .meta({ id: 'QueueState' }),
);
