import { isRecord } from '@attractor/base';
import { TransportFailure } from '../http/transport-failure.ts';

type Fetch = typeof globalThis.fetch;

/**
 * For exchanges that ask for a stream of events. A service that fails may say so with status 200, and what stands before it (a proxy, a page
 * for signing in, a wrong address) answers with pages: both would look like an answer that broke off.
 */
export function eventsOnly(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok) return response;
    if (/\bx?html\b/.test(type)) throw await pageFailure(response);
    if (!/\bjson\b/.test(type)) return response;
    const text = await response.text();
    const problem = failureIn(text, response);
    if (problem !== null) throw problem;
    const { status, statusText, headers } = response;
    return new Response(text, { status, statusText, headers });
  };
}

/** What a service said instead of an answer, in the fields of the SDK's own errors. */
class SaidInstead extends Error {
  override readonly name = 'SaidInstead';
  readonly statusCode: number | undefined;
  readonly responseBody: string;
  readonly responseHeaders: Readonly<Record<string, string>>;

  constructor(message: string, text: string, { headers }: Response) {
    super(message);
    this.statusCode = statusIn(text);
    this.responseBody = text;
    this.responseHeaders = Object.fromEntries(headers);
  }
}

function failureIn(text: string, response: Response): Error | null {
  const top = topOf(text);
  if (top === null) return null;
  if (isRecord(top['error']) || (typeof top['error'] === 'string' && top['error'] !== ''))
    return new SaidInstead('it gave no reason', text, response);
  if (!isWholeAnswer(top)) return null;
  const message = `${hostOf(response)} answered in one piece, though a stream of events was asked for. Check the base URL, and that the service and every proxy before it support streaming.`;
  return new TransportFailure({ code: 'no_events', phase: 'headers', message });
}

/** As the four protocols answer who asks for no stream. */
function isWholeAnswer({ type, object, candidates }: Readonly<Record<string, unknown>>): boolean {
  return type === 'message' || object === 'chat.completion' || object === 'response' || Array.isArray(candidates);
}

/** Some services put the status that they mean into the body. */
function statusIn(text: string): number | undefined {
  const error = topOf(text)?.['error'];
  const code = isRecord(error) ? error['code'] : undefined;
  return typeof code === 'number' && code >= 400 && code < 600 ? code : undefined;
}

function topOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    const top: unknown = Array.isArray(value) ? value[0] : value;
    return isRecord(top) ? top : null;
  } catch {
    return null;
  }
}

async function pageFailure(response: Response): Promise<TransportFailure> {
  const [, title = ''] = /<title[^>]*>([^<]{1,200})/i.exec(await beginningOf(response)) ?? [];
  const named = title.trim() === '' ? '' : ` ("${title.trim().replaceAll(/\s+/g, ' ').slice(0, 80)}")`;
  const message = `${hostOf(response)} answered with a web page${named}, not as a model does. Check the base URL; a proxy or a page for signing in may stand before the service.`;
  return new TransportFailure({ code: 'no_events', phase: 'headers', message });
}

const MAX_PAGE_BYTES = 64 << 10;

async function beginningOf({ body }: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_PAGE_BYTES) break;
  }
  return text;
}

function hostOf({ url }: Response): string {
  return URL.parse(url)?.host ?? 'the service';
}
