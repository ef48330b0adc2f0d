import { ATTACHMENT_LIMIT_BYTES, attachmentRoutes } from '@attractor/api';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { refusal } from './answer.ts';
import type { Env } from './context.ts';

export type AllowedCallers = {
  /** Host names (no ports) under which the server may be called; loopback names are always included. */
  readonly allowedHosts: ReadonlyArray<string>;
  /** Further origins whose pages may call; the server's own is always included. */
  readonly allowedOrigins: ReadonlyArray<string>;
};

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];
const BODY_LIMIT_BYTES = 1024 * 1024;

/** A name that leads here through somebody else's DNS is not ours: this prevents rebinding. */
export function checkHost({ allowedHosts }: AllowedCallers): MiddlewareHandler<Env> {
  const allowed = new Set([...LOOPBACK_HOSTS, ...allowedHosts.map((host) => host.toLowerCase())]);
  return async (context, next) => {
    const name = hostName(hostOf(context.req));
    if (name !== null && allowed.has(name)) return next();
    return refusal(
      context,
      'forbidden',
      'This server does not answer to that host name. Use the address it printed when it started.',
    );
  };
}

/**
 * Whether this server is called at a host and port. On this machine the port must be the one it listens on; in front of any other name of
 * its own there may be a proxy with a port that it does not know.
 */
export function isOwnAddress(at: string, { allowedHosts }: AllowedCallers, port: number | undefined): boolean {
  const name = hostName(at);
  if (name === null) return false;
  if (LOOPBACK_HOSTS.includes(name)) return port !== undefined && at.endsWith(`:${port}`);
  return allowedHosts.some((host) => host.toLowerCase() === name);
}

/** Every verb: a page of another origin gets nothing, not even by a plain GET. */
export function checkOrigin({ allowedOrigins }: AllowedCallers): MiddlewareHandler<Env> {
  const allowed = new Set(allowedOrigins);
  return async (context, next) => {
    context.header('vary', 'Origin');
    const origin = context.req.header('origin');
    const own = hostOf(context.req);
    const fine =
      origin === undefined || origin === `http://${own}` || origin === `https://${own}` || allowed.has(origin);
    if (fine) return next();
    return refusal(context, 'forbidden', 'Calls from pages of another origin are refused.');
  };
}

/**
 * Bodies are JSON, plain and small; only an attachment is bytes. Either content type makes a browser send a preflight request before a
 * foreign page can send one.
 */
export function checkBody(): MiddlewareHandler<Env> {
  const { method, path } = attachmentRoutes().add;
  const bytesPath = new RegExp(`^${path.replace(':id', '[^/]+')}$`);
  const limits = { json: limitOf(BODY_LIMIT_BYTES), bytes: limitOf(ATTACHMENT_LIMIT_BYTES) };
  return async (context, next) => {
    if (context.req.method === 'GET' || context.req.method === 'HEAD') return next();
    const bringsBytes = context.req.method === method && bytesPath.test(context.req.path);
    const wanted = bringsBytes ? 'application/octet-stream' : 'application/json';
    const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
    const encoding = context.req.header('content-encoding') ?? 'identity';
    if (type !== wanted || encoding !== 'identity') {
      return refusal(context, 'unsupported_media_type', `Send the body as ${wanted}, not compressed.`);
    }
    return limits[bringsBytes ? 'bytes' : 'json'](context, next);
  };
}

function limitOf(maxSize: number) {
  const onError = (context: Context) =>
    refusal(context, 'too_large', `The body is larger than ${maxSize / 1024 / 1024} MiB.`);
  return bodyLimit({ maxSize, onError });
}

function hostOf(request: { header: (name: string) => string | undefined; url: string }): string {
  return request.header('host') ?? new URL(request.url).host;
}

function hostName(host: string): string | null {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname.toLowerCase();
}
