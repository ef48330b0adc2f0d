import type { Delivery, NotifyView } from '@attractor/platform';
import {
  channelRoutes,
  type ChannelBody,
  type DeliveryQuery,
  type PreferencesBody,
  type SavedChannel,
} from '../channels.ts';
import type { Done } from '../done.ts';
import { get, patch, post, remove, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';

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
