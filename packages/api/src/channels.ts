import type { ChannelView, Delivery, NotifyView } from '@attractor/platform';
import { z } from 'zod';
import { once } from './once.ts';
import type { Done } from './done.ts';
import { get, patch, post, remove, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const channelRoutes = {
  all: '/api/channels',
  one: '/api/channels/:name',
  test: '/api/channels/:name/test',
  preferences: '/api/notification-preferences',
  deliveries: '/api/deliveries',
} as const;

/** The channel itself is judged by the platform, which says what is wrong and what would be right. */
export const channelBody = /* @__PURE__ */ once(() =>
  z.strictObject({ name: z.string().min(1).max(40), channel: z.record(z.string(), z.unknown()) }),
);

const quietHours = () => z.strictObject({ from: z.string(), to: z.string(), timeZone: z.string() });

/** Null takes a choice back; what is absent stays. */
export const preferencesBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    publicUrl: z.url().max(2_000).nullable().exactOptional(),
    quietHours: quietHours().nullable().exactOptional(),
  }),
);

export const deliveryQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    channel: z.string().exactOptional(),
    limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
  }),
);

export type ChannelBody = z.infer<ReturnType<typeof channelBody>>;
export type PreferencesBody = z.infer<ReturnType<typeof preferencesBody>>;
export type DeliveryQuery = z.infer<ReturnType<typeof deliveryQuery>>;

/** `secret` is there once, when it was made just now: the receiver needs it. */
export type SavedChannel = { readonly channel: ChannelView; readonly secret: string | null };

export type { ChannelView, Delivery, NotifyView } from '@attractor/platform';

export function channelCalls(http: HttpOptions) {
  return {
    settings: () => get<NotifyView>(http, channelRoutes.all),
    save: (body: ChannelBody) => post<SavedChannel>(http, channelRoutes.all, body),
    remove: (name: string) => remove<Done>(http, fillPath(channelRoutes.one, { name })),
    test: (name: string) => post<Done>(http, fillPath(channelRoutes.test, { name })),
    setPreferences: (body: PreferencesBody) => patch<NotifyView>(http, channelRoutes.preferences, body),
    deliveries: (query: DeliveryQuery = {}) =>
      get<ReadonlyArray<Delivery>>(http, fillPath(channelRoutes.deliveries, {}, query)),
  };
}
