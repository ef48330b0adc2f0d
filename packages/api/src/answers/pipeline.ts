import { once } from '@attractor/base';
import { z } from 'zod';
import { list, record } from './shape.ts';

const named = () => z.strictObject({ type: z.string(), params: record().exactOptional() });

const trigger = () =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('manual') }),
    z.strictObject({ type: z.literal('agent_outcome'), outcome: z.string() }),
    z.strictObject({ type: z.literal('agent_error') }),
    z.strictObject({ type: z.literal('subtasks_settled') }),
    z.strictObject({ type: z.literal('any') }),
  ]);

const transition = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: z.string(),
      from: z.string().meta({ description: '`*` stands for every status.' }),
      to: z.string(),
      label: z.string(),
      trigger: trigger(),
      guards: list(named()).exactOptional(),
      hooks: list(named()).exactOptional(),
    })
    .meta({ id: 'PipelineTransition' }),
);

const status = () =>
  z.strictObject({
    id: z.string(),
    label: z.string(),
    description: z.string().exactOptional(),
    color: z.string(),
    category: z.enum(['backlog', 'active', 'review', 'waiting', 'done', 'blocked']),
    position: z.number(),
  });

export const pipelineAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: z.string(),
      version: z.number(),
      name: z.string(),
      description: z.string().exactOptional(),
      isDefault: z.boolean(),
      statuses: list(status()),
      transitions: list(transition()),
      initialStatus: z.string(),
      terminalStatuses: list(z.string()),
      outcomes: z
        .record(z.string(), z.strictObject({ description: z.string(), schema: record().exactOptional() }))
        .exactOptional(),
    })
    .meta({ id: 'PipelineDefinition' }),
);

export const graphAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      pipelineId: z.string(),
      version: z.number(),
      format: z.enum(['mermaid', 'svg']),
      text: z.string(),
    })
    .meta({ id: 'PipelineGraph' }),
);

export const transitionOptionAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      transition: transition(),
      allowed: z.boolean(),
      blockedBy: list(z.strictObject({ guard: z.string(), reason: z.string() })),
    })
    .meta({ id: 'TransitionOption' }),
);
