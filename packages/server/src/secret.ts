import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits, in letters that need no quoting anywhere. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares digests, so that the time reveals neither the place of a difference nor the length. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

export function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** A short public name for a secret that reveals nothing of it. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(`name:${secret}`).digest('hex').slice(0, 12);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
