import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, MiddlewareHandler } from 'hono';
import type { Env } from './context.ts';

/** Less is not worth it; and so no answer that is only a secret is ever compressed. */
const SMALLEST = 1024;

/** Never streams: a frame that waits in a compressor is late. Never what is compressed already. */
const COMPRESSIBLE = /^(?:application\/(?:json|manifest\+json)|text\/(?!event-stream)|image\/svg\+xml)/;

const compress = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes),
};

/**
 * Answers that are whole texts are compressed for clients that accept it. A read of JSON has an ETag: a client that has the same already
 * gets 304.
 */
export function compressed(): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    const { res, req } = context;
    const type = res.headers.get('content-type') ?? '';
    if (res.body === null || req.method === 'HEAD' || !COMPRESSIBLE.test(type)) return;
    const bytes = new Uint8Array(await res.arrayBuffer());
    const headers = new Headers(res.headers);
    headers.append('vary', 'Accept-Encoding');
    const isRead = req.method === 'GET' && res.status === 200 && type.startsWith('application/json');
    const tag = isRead ? `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` : null;
    if (tag !== null) headers.set('etag', tag);
    if (tag !== null && isKnown(context, tag)) {
      headers.delete('content-type');
      return replace(context, new Response(null, { status: 304, headers }));
    }
    const encoding = bytes.length < SMALLEST ? null : acceptedBy(req.header('accept-encoding') ?? '');
    if (encoding === null) return replace(context, new Response(bytes, { status: res.status, headers }));
    headers.set('content-encoding', encoding);
    const small = new Uint8Array(await compress[encoding](bytes));
    replace(context, new Response(small, { status: res.status, headers }));
  };
}

/** Assigning a response merges the headers of the one before: it has to go first. */
function replace(context: Context<Env>, response: Response): void {
  context.res = undefined;
  context.res = response;
}

function isKnown(context: Context<Env>, tag: string): boolean {
  const given = context.req.header('if-none-match') ?? '';
  return given.split(',').some((one) => one.trim().replace(/^(?:W\/)?/, 'W/') === tag);
}

function acceptedBy(header: string): keyof typeof compress | null {
  const parts = header.split(',').map((part) => part.split(';').map((word) => word.trim()));
  const wanted = parts.filter(([, quality]) => !/^q=0(?:\.0*)?$/.test(quality ?? ''));
  const accepted = new Set(wanted.map(([name = '']) => name.toLowerCase()));
  if (accepted.has('br')) return 'br';
  return accepted.has('gzip') ? 'gzip' : null;
}
