import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Context, MiddlewareHandler } from 'hono';
import { refusal } from './answer.ts';
import { acceptedBy, isKnownTag } from './compressed.ts';
import type { Env } from './context.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

/** Files under `assets/` have a hash in their name and never change; everything else is revalidated. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** What the build has written beside a file, already compressed. */
const ENDINGS = { br: '.br', gzip: '.gz' } as const;

/**
 * The web app's files, and its page for every other address. A file is served only if its real path, with links resolved, is inside the
 * root.
 */
export function serveWebApp(webRoot: string | null): MiddlewareHandler<Env> {
  return async (context) => {
    if (context.req.method !== 'GET' && context.req.method !== 'HEAD') {
      return refusal(context, 'method_not_allowed', 'Only GET is possible here.');
    }
    if (webRoot === null) return refusal(context, 'not_found', 'This server was started without the web app.');
    const path = decodePath(context.req.path);
    const file = path === null ? null : await readInside(webRoot, path);
    const page = file ?? (isPlace(context.req.path) ? await readInside(webRoot, 'index.html') : null);
    if (page === null) return refusal(context, 'not_found', 'There is no such page.');
    return send(context, webRoot, page);
  };
}

type ServedFile = { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer> };

async function send(context: Context<Env>, webRoot: string, page: ServedFile): Promise<Response> {
  const tag = `W/"${createHash('sha256').update(page.bytes).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'content-type': CONTENT_TYPES[extname(page.path)] ?? 'application/octet-stream',
    'cache-control': page.path.includes(`${sep}assets${sep}`) ? IMMUTABLE : 'no-cache',
    etag: tag,
  };
  if (isKnownTag(context, tag)) return context.body(null, 304, headers);
  const encoding = acceptedBy(context.req.header('accept-encoding') ?? '');
  const small =
    encoding === null ? null : await readInside(webRoot, `${await within(webRoot, page.path)}${ENDINGS[encoding]}`);
  if (encoding === null || small === null) return context.body(page.bytes, 200, headers);
  return context.body(small.bytes, 200, { ...headers, 'content-encoding': encoding, vary: 'Accept-Encoding' });
}

async function within(root: string, path: string): Promise<string> {
  return path.slice((await realpath(root)).length);
}

function decodePath(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes('\0') ? null : decoded;
  } catch {
    return null;
  }
}

async function readInside(root: string, path: string): Promise<ServedFile | null> {
  try {
    const realRoot = await realpath(root);
    const real = await realpath(join(realRoot, path));
    if (!real.startsWith(realRoot + sep)) return null;
    return { path: real, bytes: new Uint8Array(await readFile(real)) };
  } catch {
    return null;
  }
}

/** The number of a run stands behind a dot, as the kind of a file does: `/runs/SLU-3.1`. */
function isPlace(path: string): boolean {
  return /^(?:\.\d+)?$/.test(extname(path));
}
