import { once } from '@attractor/base';
import type { PlatformEvent } from '@attractor/platform';
import { EVENT_CATEGORIES, EVENT_LEVELS } from '@attractor/store/types';
import { z } from 'zod';
import { actorAnswer } from './actor.ts';
import { id, record, time } from './shape.ts';

/** Every version adds types of events: a reader has to expect ones that it does not know, so their data is not described. */
export const eventAnswer = /* @__PURE__ */ once(
  () =>
    z
      .strictObject({
        seq: z.number().meta({ description: 'Orders all events and never repeats.' }),
        id: id('evt'),
        at: time(),
        projectId: z.string().meta({ description: 'Empty for what concerns the whole store.' }),
        taskId: z.string().nullable(),
        runId: z.string().nullable(),
        type: z.string().meta({ description: 'A noun and a verb: `task.created`.' }),
        category: z.enum([...EVENT_CATEGORIES, 'unknown']),
        level: z.enum(EVENT_LEVELS),
        summary: z.string(),
        actor: actorAnswer(),
        data: record(),
      })
      .meta({
        id: 'Event',
        description: 'One thing that happened, in the one log.',
      }) as z.ZodType as z.ZodType<PlatformEvent>,
);
