import { once } from '@attractor/base';
import { z } from 'zod';
import { newTaskShape } from '../task-shapes.ts';
import { agentConfig } from './agent.ts';
import { runMode } from './run.ts';
import { id, list, time } from './shape.ts';

const overrides = () =>
  agentConfig().extend({
    agentType: z.string().exactOptional(),
    checks: list(z.string()).exactOptional(),
    labels: list(z.string()).exactOptional(),
    account: z.string().exactOptional(),
    additionalDirectories: list(z.string()).exactOptional(),
  });

const action = () =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('create'),
      task: z.strictObject({ ...newTaskShape(), overrides: overrides().exactOptional() }),
      to: z.string().exactOptional(),
      start: runMode().exactOptional(),
    }),
    z.strictObject({ kind: z.literal('move'), taskId: z.string(), to: z.string() }),
    z.strictObject({ kind: z.literal('start'), taskId: z.string(), mode: runMode() }),
  ]);

export const scheduleAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: id('sch'),
      projectId: z.string(),
      name: z.string(),
      cron: z.string(),
      timeZone: z.string(),
      isEnabled: z.boolean(),
      action: action(),
      nextAt: time(),
      lastAt: time().nullable(),
      lastResult: z.string().nullable(),
      createdAt: time(),
    })
    .meta({ id: 'Schedule' }),
);
