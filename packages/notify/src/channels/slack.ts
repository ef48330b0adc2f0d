import type { Channel } from '../channel.ts';
import { addressFlag, type ChannelKind, isAddress, NEEDS_URL } from '../channel-kind.ts';
import { plainText } from '../plain-text.ts';
import { postJson } from '../post-json.ts';

type SlackSettings = { readonly type: 'slack'; readonly url: string };

export const SLACK: ChannelKind<SlackSettings> = {
  name: 'Slack',
  flags: [addressFlag('Slack')],
  fields: [{ field: 'url', label: 'Address of the incoming webhook', isSecret: true }],
  read: ({ url }) => (isAddress(url) ? { type: 'slack', url } : NEEDS_URL),
  create: createSlackChannel,
  target: ({ url }) => new URL(url).host,
  secrets: ({ url }) => [url],
  kept: ['url'],
};

const MAX_TEXT = 3_000;

/** Anything that accepts Slack's incoming webhooks: Slack, Mattermost, Rocket.Chat, Discord's `/slack` addresses. */
export function createSlackChannel({ url }: Pick<SlackSettings, 'url'>): Channel {
  return {
    type: 'slack',
    displayName: 'Slack',
    canReply: false,
    isAvailable: async () => true,
    send: (outgoing, signal) =>
      postJson({ url, body: JSON.stringify({ text: escape(plainText(outgoing, MAX_TEXT)) }) }, signal),
  };
}

/** Without escaping, a title could mention everybody or show a link under another name. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
