import { createHmac } from 'node:crypto';

/** What a receiver verifies: HMAC-SHA256 over the timestamp, a full stop and the body as sent, in hex after `v1=`. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}
