import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits, in letters that need no quoting anywhere. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares digests, so that neither the place of a difference nor the length shows in the time it takes. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

export function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** A short public name for a secret that gives nothing of it away. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(`name:${secret}`).digest('hex').slice(0, 12);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
