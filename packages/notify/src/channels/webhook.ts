import { randomBytes } from 'node:crypto';
import type { Channel, OutgoingNotification } from '../channel.ts';
import { addressFlag, type ChannelKind, isAddress, NEEDS_URL } from '../channel-kind.ts';
import { postJson } from '../post-json.ts';
import { signatureOf } from '../signature.ts';

type WebhookSettings = { readonly url: string; readonly secret: string };

export const WEBHOOK: ChannelKind<WebhookSettings & { readonly type: 'webhook' }> = {
  name: 'webhook',
  flags: [addressFlag('a webhook')],
  fields: [
    { field: 'url', label: 'Address' },
    { field: 'secret', label: 'Secret for its signature', isSecret: true, isOptional: true },
  ],
  read: ({ url, secret }) => {
    if (!isAddress(url)) return NEEDS_URL;
    if (secret !== undefined && (typeof secret !== 'string' || secret.length < 16))
      return '"secret" must have at least 16 characters; leave it out to have one made.';
    return { type: 'webhook', url, secret: secret ?? randomBytes(32).toString('base64url') };
  },
  create: createWebhookChannel,
  target: ({ url }) => new URL(url).host,
  secrets: ({ url, secret }) => [url, secret],
  kept: ['url', 'secret'],
  shownOnce: ({ secret }) => secret,
};

/** A program of the person's own: the whole notification as JSON, signed. */
function createWebhookChannel({ url, secret }: WebhookSettings): Channel {
  return {
    type: 'webhook',
    displayName: 'Webhook',
    canReply: true,
    isAvailable: async () => true,
    send: (outgoing, signal) => {
      const body = JSON.stringify(wireShape(outgoing));
      const timestamp = String(Math.floor(Date.now() / 1000));
      return postJson(
        {
          url,
          body,
          headers: {
            'x-attractor-delivery': outgoing.deliveryId,
            'x-attractor-timestamp': timestamp,
            'x-attractor-signature': signatureOf(secret, timestamp, body),
          },
        },
        signal,
      );
    },
  };
}

function wireShape({ deliveryId, notification, link, replies }: OutgoingNotification) {
  return { id: deliveryId, ...notification, link, replies };
}
