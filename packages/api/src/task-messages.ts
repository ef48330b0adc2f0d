import { once } from '@attractor/base';
import { EFFORTS, PERMISSION_MODES } from '@attractor/facts';
import type { SentMessage, TaskMessage, TaskSettings } from '@attractor/platform';
import { z } from 'zod';
import { messageAnswer, sentMessageAnswer, taskSettingsAnswer } from './answers/message.ts';
import { list } from './answers/shape.ts';
import { ofTask } from './found.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = {
  list: 'GET /api/tasks/:id/messages',
  send: 'POST /api/tasks/:id/messages',
  settings: 'GET /api/tasks/:id/settings',
  changeSettings: 'PATCH /api/tasks/:id/settings',
} as const;

/** `interrupts`: the agent at work gives up what it is doing. */
const messageBody = /* @__PURE__ */ once(() =>
  z.strictObject({ text: z.string().trim().min(1).max(50_000), interrupts: z.boolean().exactOptional() }),
);

/** Null: as the configuration says. */
const settingsBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    model: z.string().min(1).nullable().exactOptional(),
    effort: z.enum(EFFORTS).nullable().exactOptional(),
    permissionMode: z.enum(PERMISSION_MODES).nullable().exactOptional(),
  }),
);

export type MessageBody = z.infer<ReturnType<typeof messageBody>>;
export type TaskSettingsBody = z.infer<ReturnType<typeof settingsBody>>;

export type { MessageDelivery, SentMessage, TaskMessage, TaskSettings } from '@attractor/platform';

export function messageCalls(http: HttpOptions) {
  return {
    list: (taskId: string) => ask<ReadonlyArray<TaskMessage>>(http, at.list, { params: { id: taskId } }),
    send: (taskId: string, body: MessageBody) => ask<SentMessage>(http, at.send, { params: { id: taskId }, body }),
    settings: (taskId: string) => ask<TaskSettings>(http, at.settings, { params: { id: taskId } }),
    changeSettings: (taskId: string, body: TaskSettingsBody) =>
      ask<TaskSettings>(http, at.changeSettings, { params: { id: taskId }, body }),
  };
}

export const messageRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list what was said to the agents of a task, and who got it',
    access: ['viewer', 'named'],
    answers: () => list(messageAnswer()),
    act: ofTask((workflow, taskId) => workflow.listMessages(taskId)),
  }),
  send: route(at.send, {
    about: 'say something to the agents of a task, also while one works',
    access: ['operator', 'named'],
    answers: sentMessageAnswer,
    body: messageBody,
    act: ({ workflow, params, body, actor }) => workflow.sendMessage({ taskId: params.id, ...body }, actor),
  }),
  settings: route(at.settings, {
    about: 'show the model, the effort and the permission mode that were chosen for a task',
    access: ['viewer', 'named'],
    answers: taskSettingsAnswer,
    act: ({ workflow, params }) => workflow.taskSettings(params.id),
  }),
  changeSettings: route(at.changeSettings, {
    about: 'change the model, the effort or the permission mode of a task, and of its run from the next round on',
    access: ['operator', 'named'],
    answers: taskSettingsAnswer,
    body: settingsBody,
    act: ({ workflow, params, body, actor }) => workflow.changeTaskSettings(params.id, body, actor),
  }),
}));
