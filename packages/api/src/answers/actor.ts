import { once } from '@attractor/base';
import { z } from 'zod';

export const actorAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      type: z.enum(['user', 'agent', 'system', 'supervisor']),
      name: z.string().exactOptional(),
      runId: z.string().exactOptional(),
      userId: z.string().exactOptional(),
      via: z.string().exactOptional(),
      apiKey: z.string().exactOptional(),
    })
    .meta({ id: 'Actor', description: 'Who did something.' }),
);
