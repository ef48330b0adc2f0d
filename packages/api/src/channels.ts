import { once } from '@attractor/base';
import type { ChannelView, Delivery, NotifyView } from '@attractor/platform';
import { z } from 'zod';
import { deliveryAnswer, notifyAnswer, savedChannelAnswer } from './answers/channel.ts';
import { doneAnswer } from './answers/done.ts';
import { list } from './answers/shape.ts';
import { asDone, type Done } from './done.ts';
import { ask, type HttpOptions } from './http.ts';
import { firstOf } from './listed.ts';
import { route } from './route.ts';

const at = {
  settings: 'GET /api/channels',
  save: 'POST /api/channels',
  remove: 'DELETE /api/channels/:name',
  test: 'POST /api/channels/:name/test',
  setPreferences: 'PATCH /api/notification-preferences',
  deliveries: 'GET /api/deliveries',
} as const;

/** The platform checks the channel itself, and says what is wrong and what would be right. */
const channelBody = /* @__PURE__ */ once(() =>
  z.strictObject({ name: z.string().min(1).max(40), channel: z.record(z.string(), z.unknown()) }),
);

const quietHours = () => z.strictObject({ from: z.string(), to: z.string(), timeZone: z.string() });

/** Null removes a choice; absent fields stay. */
const preferencesBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    publicUrl: z.url().max(2_000).nullable().exactOptional(),
    quietHours: quietHours().nullable().exactOptional(),
  }),
);

const deliveryQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    channel: z.string().exactOptional(),
    limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
  }),
);

export type ChannelBody = z.infer<ReturnType<typeof channelBody>>;
export type PreferencesBody = z.infer<ReturnType<typeof preferencesBody>>;
export type DeliveryQuery = z.infer<ReturnType<typeof deliveryQuery>>;

/** `secret` is set once, if it was just generated: the receiver needs it. */
export type SavedChannel = { readonly channel: ChannelView; readonly secret: string | null };

export type { ChannelView, Delivery, NotifyView } from '@attractor/platform';

export function channelCalls(http: HttpOptions) {
  return {
    settings: () => ask<NotifyView>(http, at.settings),
    save: (body: ChannelBody) => ask<SavedChannel>(http, at.save, { body }),
    remove: (name: string) => ask<Done>(http, at.remove, { params: { name } }),
    test: (name: string) => ask<Done>(http, at.test, { params: { name } }),
    setPreferences: (body: PreferencesBody) => ask<NotifyView>(http, at.setPreferences, { body }),
    deliveries: (query: DeliveryQuery = {}) => ask<ReadonlyArray<Delivery>>(http, at.deliveries, { query }),
  };
}

/** How many deliveries are listed if nobody says. */
const LISTED = 100;

export const channelRoutes = /* @__PURE__ */ once(() => ({
  settings: route(at.settings, {
    about: 'list the channels, and what they prefer',
    access: ['admin', 'every'],
    answers: notifyAnswer,
    act: ({ workflow }) => workflow.notifySettings(),
  }),
  save: route(at.save, {
    about: 'add or change a channel',
    access: ['admin', 'every'],
    answers: savedChannelAnswer,
    body: channelBody,
    isSecret: true,
    act: ({ workflow, body, actor }) => workflow.saveChannel(body, actor),
  }),
  remove: route(at.remove, {
    about: 'remove a channel and its secrets',
    access: ['admin', 'every'],
    answers: doneAnswer,
    act: async ({ workflow, params, actor }) => asDone(await workflow.removeChannel(params.name, actor)),
  }),
  test: route(at.test, {
    about: 'send a test message and say whether it arrived',
    access: ['admin', 'every'],
    answers: doneAnswer,
    act: async ({ workflow, params, actor }) => asDone(await workflow.testChannel(params.name, actor)),
  }),
  setPreferences: route(at.setPreferences, {
    about: 'set quiet hours and the address under which this server is reached',
    access: ['admin', 'every'],
    answers: notifyAnswer,
    body: preferencesBody,
    act: ({ workflow, body, actor }) => workflow.saveNotifyPreferences(body, actor),
  }),
  deliveries: route(at.deliveries, {
    about: 'list what was sent, the newest first',
    access: ['admin', 'every'],
    answers: () => list(deliveryAnswer()),
    query: deliveryQuery,
    act: async ({ workflow, query }) => {
      const { limit = LISTED } = query;
      return firstOf(await workflow.listDeliveries({ ...query, limit: limit + 1 }), limit);
    },
  }),
}));
