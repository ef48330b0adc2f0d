import { once } from '@attractor/base';
import { z } from 'zod';
import { templateShape } from '../task-shapes.ts';
import { id } from './shape.ts';

export const templateAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: id('tpl'),
      name: z.string(),
      description: z.string(),
      builtIn: z.boolean(),
      fields: z.strictObject(templateShape()),
    })
    .meta({ id: 'TaskTemplate' }),
);
