import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describedRoutes, failureAnswer, failuresOf } from '@attractor/api';
import type { App } from '../app.ts';

/**
 * The same app, whose every answer is compared with what its route promises: the shape of a value or a failure, the status, the content
 * type. What differs fails the file that is tested, as an error that nobody handled.
 */
export function checkAnswers(app: App): App {
  return {
    ...app,
    fetch: async (request, ...rest) => {
      const response = await app.fetch(request, ...rest);
      const problem = await problemOf(request, response);
      if (problem !== null) void Promise.reject(misdescribed(request, response, problem));
      return response;
    },
  };
}

function misdescribed({ method, url }: Request, { status }: Response, problem: string): Error {
  return new Error(
    `An answer is not as its route describes it: ${method} ${new URL(url).pathname} ${status}: ${problem}`,
  );
}

async function problemOf(request: Request, response: Response): Promise<string | null> {
  const found = routeOf(request);
  if (found === null) return null;
  const { route, isOpen } = found;
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  if (response.status === 304) return null;
  if (typeof route.answers !== 'function' && response.status === route.answers.status) return null;
  if (!response.ok) {
    if (!failuresOf(route, isOpen).some((status) => status === response.status)) return 'no status of this route';
    return misfit(failureAnswer(), await jsonOf(response));
  }
  if (typeof route.answers !== 'function') return type === route.answers.mediaType ? null : `sends ${type}`;
  return type === 'application/json' ? misfit(route.answers(), await jsonOf(response)) : `sends ${type}`;
}

const PLAIN = { br: brotliDecompressSync, gzip: gunzipSync } as const;

async function jsonOf(response: Response): Promise<unknown> {
  const bytes = new Uint8Array(await response.clone().arrayBuffer());
  const encoding = response.headers.get('content-encoding');
  const plain = encoding === 'br' || encoding === 'gzip' ? PLAIN[encoding](bytes) : bytes;
  return JSON.parse(new TextDecoder().decode(plain));
}

type Shape = ReturnType<typeof failureAnswer> | ReturnType<Extract<Described['answers'], () => unknown>>;
type Described = ReturnType<typeof describedRoutes>[number]['route'];

function misfit(shape: Shape, value: unknown): string | null {
  const read = shape.safeParse(value);
  if (read.success) return null;
  return read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

function routeOf({ method, url }: Request) {
  const { pathname } = new URL(url);
  return table().find(({ route, pattern }) => route.method === method && pattern.test(pathname)) ?? null;
}

let made: ReturnType<typeof makeTable> | null = null;

function table() {
  made ??= makeTable();
  return made;
}

function makeTable() {
  return describedRoutes().map(({ route, isOpen }) => ({
    route,
    isOpen,
    pattern: new RegExp(`^${route.path.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '[^/]+')}$`),
  }));
}
