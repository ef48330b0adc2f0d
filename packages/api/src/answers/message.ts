import { once } from '@attractor/base';
import { z } from 'zod';
import { actorAnswer } from './actor.ts';
import { changeable } from './agent.ts';
import { id, time } from './shape.ts';

export const messageAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: id('msg'),
      taskId: id('tsk'),
      text: z.string(),
      interrupts: z.boolean(),
      author: actorAnswer(),
      createdAt: time(),
      runId: id('run').nullable(),
      via: z.enum(['prompt', 'steering', 'input']).nullable(),
      deliveredAt: time().nullable(),
    })
    .meta({ id: 'TaskMessage' }),
);

export const sentMessageAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({ message: messageAnswer(), delivery: z.enum(['between_rounds', 'after_turn', 'next_run']) })
    .meta({ id: 'SentMessage' }),
);

export const taskSettingsAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ ...changeable(), runId: z.string().nullable() }).meta({ id: 'TaskSettings' }),
);
