import { once } from '@attractor/base';
import { z } from 'zod';
import { list } from './shape.ts';
import { taskAnswer } from './task.ts';

export const issueAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      number: z.number(),
      title: z.string(),
      body: z.string(),
      url: z.string(),
      labels: list(z.string()),
      state: z.enum(['open', 'closed']),
    })
    .meta({ id: 'Issue' }),
);

export const importedAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      imported: list(taskAnswer()),
      known: list(z.strictObject({ url: z.string(), taskId: z.string() })),
      refused: list(z.strictObject({ number: z.number(), message: z.string() })),
    })
    .meta({ id: 'ImportedIssues' }),
);
