import type { Context, MiddlewareHandler } from 'hono';
import type { Env } from './context.ts';
import { encodeBytes, type Encoding } from './encoded.ts';

/** Less is not worth it; and so no answer that is only a secret is ever compressed. */
const SMALLEST = 1024;

/** Never streams: a frame that waits in a compressor is late. Never what is compressed already. */
const COMPRESSIBLE = /^(?:application\/(?:json|manifest\+json)|text\/(?!event-stream)|image\/svg\+xml)/;

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
    if (res.headers.has('content-encoding')) return;
    const isRead = req.method === 'GET' && res.status === 200 && type.startsWith('application/json');
    const known = res.status === 200 ? context.var.encoded : undefined;
    const encoded = known ?? encodeBytes(new Uint8Array(await res.arrayBuffer()));
    const headers = new Headers(res.headers);
    headers.append('vary', 'Accept-Encoding');
    if (isRead) headers.set('etag', encoded.tag());
    if (isRead && isKnownTag(context, encoded.tag())) {
      headers.delete('content-type');
      return replace(context, new Response(null, { status: 304, headers }));
    }
    const encoding = encoded.bytes.length < SMALLEST ? null : acceptedBy(req.header('accept-encoding') ?? '');
    if (encoding !== null) headers.set('content-encoding', encoding);
    const sent = encoding === null ? encoded.bytes : await encoded.small(encoding);
    replace(context, new Response(sent, { status: res.status, headers }));
  };
}

/** Assigning a response merges the headers of the one before: it has to go first. */
function replace(context: Context<Env>, response: Response): void {
  context.res = undefined;
  context.res = response;
}

/** Whether the client has it already. */
export function isKnownTag(context: Context<Env>, tag: string): boolean {
  const given = context.req.header('if-none-match') ?? '';
  return given.split(',').some((one) => one.trim().replace(/^(?:W\/)?/, 'W/') === tag);
}

/** The encoding that the client would rather have; null: none. */
export function acceptedBy(header: string): Encoding | null {
  const parts = header.split(',').map((part) => part.split(';').map((word) => word.trim()));
  const wanted = parts.filter(([, quality]) => !/^q=0(?:\.0*)?$/.test(quality ?? ''));
  const accepted = new Set(wanted.map(([name = '']) => name.toLowerCase()));
  if (accepted.has('br')) return 'br';
  return accepted.has('gzip') ? 'gzip' : null;
}
