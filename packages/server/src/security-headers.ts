import type { MiddlewareHandler } from 'hono';
import type { Env } from './context.ts';

/** Nothing but our own files and our own API; no inline script or style, no frame, no form to elsewhere. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Browsers resolve the hosts of links on a page; a link in a model's text must not contact anything by itself.
  'x-dns-prefetch-control': 'off',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

export function securityHeaders(): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
    if (context.req.path.startsWith('/api/')) context.header('cache-control', 'no-store');
  };
}
