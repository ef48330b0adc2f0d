import type { IncomingMessage } from 'node:http';
import { messageOf } from '@attractor/base';
import { fetchFailure, type FetchFailure } from './failure.ts';
import { checkUrl, hostOf, type UrlRules } from '@attractor/confine';
import { pageText } from './page-text.ts';
import { requestPinned, type ResolveHost } from './pinned-request.ts';
import { readBody } from './read-body.ts';

export type FetchPageOptions = UrlRules & {
  /** Absent: the system's resolver. */
  readonly resolve?: ResolveHost;
  /** The limit for the decompressed body; absent: 5 MB. The rest is cut off. */
  readonly maxBytes?: number;
  /** From the first DNS lookup to the last byte, over all hops; absent: 30 s. */
  readonly timeoutMs?: number;
};

export type Page = {
  readonly ok: true;
  readonly url: string;
  readonly title: string | null;
  readonly text: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly isCut: boolean;
};

/** The host redirected us to another one, which needs a permission of its own. */
export type RedirectedPage = { readonly ok: true; readonly elsewhere: string; readonly url: string };

const MAX_BYTES = 5_000_000;
const TIMEOUT_MS = 30_000;
const MAX_HOPS = 5;

/** Never rejects. Every hop is checked like the first: its URL, the addresses of its host, and the connection to exactly one of those. */
export async function fetchPage(
  address: string,
  options: FetchPageOptions = {},
  signal?: AbortSignal,
): Promise<Page | RedirectedPage | FetchFailure> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    return await follow(address, options, either);
  } catch (error) {
    if (signal?.aborted === true) return fetchFailure('aborted', 'The page was not read: the work was stopped.');
    if (timeout.aborted)
      return fetchFailure('timeout', `${address} took longer than ${timeoutMs} ms and was given up.`, 'retryable');
    const why = messageOf(error);
    return fetchFailure('unreachable', `${address} could not be read to its end: ${why}.`, 'retryable');
  }
}

async function follow(
  address: string,
  options: FetchPageOptions,
  signal: AbortSignal,
): Promise<Page | RedirectedPage | FetchFailure> {
  let next = address;
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    const checked = checkUrl(next, options);
    if (!checked.ok) return fetchFailure('refused', checked.message);
    const { url } = checked;
    const response = await requestPinned({
      url,
      resolve: options.resolve,
      allowLoopback: options.allowLoopback === true,
      signal,
    });
    if ('ok' in response) return response;
    const target = redirectOf(response, url);
    if (target === null) return read(response, url, options);
    response.destroy();
    if (target === 'nowhere') return fetchFailure('status', `${url.href} redirects to nowhere.`);
    if (!isSameSite(url, target)) return { ok: true, elsewhere: target.href, url: url.href };
    next = target.href;
  }
  return fetchFailure('status', `${address} redirects more than ${MAX_HOPS} times.`);
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The fragment after '#' is not sent to anybody. */
function redirectOf(response: IncomingMessage, url: URL): URL | 'nowhere' | null {
  if (!REDIRECTS.has(response.statusCode ?? 0)) return null;
  return URL.parse(response.headers.location ?? '', url.href) ?? 'nowhere';
}

/** The host and port that were judged, or the same host from http to https; any other, even with `www.` added, is judged separately. */
function isSameSite(from: URL, to: URL): boolean {
  if (hostOf(from) !== hostOf(to)) return false;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
  return isUpgrade || (from.protocol === to.protocol && from.port === to.port);
}

async function read(response: IncomingMessage, url: URL, options: FetchPageOptions): Promise<Page | FetchFailure> {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) {
    response.destroy();
    const retryable = status === 429 || status >= 500 ? 'retryable' : 'final';
    return fetchFailure('status', `${url.href} answered with status ${status}.`, retryable);
  }
  const contentType = response.headers['content-type'] ?? '';
  const body = await readBody(response, options.maxBytes ?? MAX_BYTES);
  if (body === null) return fetchFailure('unsupported', `${url.href} is packed in a way that can't be read.`);
  const text = await pageText(body, { url, contentType });
  if (!text.ok) return text;
  const { length } = body.bytes;
  return { ...text, url: url.href, contentType, bytes: length, isCut: body.isCut };
}
