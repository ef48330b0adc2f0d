import { once } from '@attractor/base';
import { z } from 'zod';
import { promptAnswer } from './prompt.ts';
import { list, time } from './shape.ts';
import { taskAnswer } from './task.ts';

const nextStepAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: z.string(),
      label: z.string(),
      command: z.string().meta({ description: 'For a terminal.' }),
      call: z
        .strictObject({ method: z.enum(['POST', 'DELETE']), path: z.string(), body: z.unknown().exactOptional() })
        .nullable()
        .meta({ description: 'The same over HTTP.' }),
    })
    .meta({ id: 'NextStep', description: 'Something that a person can do now.' }),
);

const stateAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      kind: z.enum([
        'open',
        'queued',
        'working',
        'waiting',
        'subtasks',
        'paused',
        'by_hand',
        'stopped',
        'failed',
        'accepted',
        'merged',
        'closed',
      ]),
      label: z.string(),
      detail: z.string().nullable(),
      since: time(),
      until: time().nullable(),
      needsPerson: z.boolean(),
      steps: list(nextStepAnswer()),
    })
    .meta({ id: 'TaskState', description: 'How a task stands, for people.' }),
);

export const statedTaskAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({ task: taskAnswer(), state: stateAnswer(), cameFrom: z.string().nullable() })
    .meta({ id: 'StatedTask' }),
);

export const inboxAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      items: list(
        z.strictObject({
          task: taskAnswer().pick({ id: true, key: true, title: true, status: true, projectId: true }),
          project: z.string(),
          state: stateAnswer(),
          prompt: promptAnswer().nullable(),
          text: z.string(),
          branch: z.string().nullable(),
        }),
      ),
      left: z.number(),
    })
    .meta({ id: 'Inbox', description: 'Everything that waits for a person.' }),
);
