import type { Channel, Outgoing } from '../channel.ts';
import { postJson } from '../post-json.ts';
import { signatureOf } from '../signature.ts';

export type WebhookSettings = { readonly url: string; readonly secret: string };

/** A program of the person's own: the whole notification as JSON, signed. */
export function createWebhookChannel({ url, secret }: WebhookSettings): Channel {
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

function wireShape({ deliveryId, notification, link, replies }: Outgoing) {
  return { id: deliveryId, ...notification, link, replies };
}
