import { defined } from '@attractor/base';
import type { Channel } from '../channel.ts';
import type { ChannelSettings } from '../channel-settings.ts';
import { createDesktopChannel } from './desktop.ts';
import { createSlackChannel } from './slack.ts';
import { createTelegramChannel } from './telegram.ts';
import { createWebhookChannel } from './webhook.ts';

export type ChannelPlace = { readonly env: Readonly<Record<string, string | undefined>> };

export function createChannel(settings: ChannelSettings, { env }: ChannelPlace): Channel {
  switch (settings.type) {
    case 'desktop':
      return createDesktopChannel({
        env,
        ...defined({ program: settings.program }),
      });
    case 'webhook':
      return createWebhookChannel(settings);
    case 'slack':
      return createSlackChannel(settings);
    case 'telegram':
      return createTelegramChannel(settings);
  }
}
