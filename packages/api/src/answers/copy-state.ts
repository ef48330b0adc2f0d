import { once } from '@attractor/base';
import { z } from 'zod';
import { time } from './shape.ts';

export const copyStateAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: z.string(),
      url: z.string(),
      phase: z.enum(['connecting', 'receiving', 'resolving', 'writing']),
      percent: z.number().nullable(),
      startedAt: time(),
    })
    .meta({ id: 'Clone' }),
);
