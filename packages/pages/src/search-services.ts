import { isRecord, messageOf } from '@attractor/base';
import { type Client, searchWeb } from '@attractor/llm';
import type { Variables } from '@attractor/system';
import type { SearchWeb, WebHit, WebQuery } from './search-web.ts';

type Asked = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body?: unknown };

/** A service that a person can configure: by its key, or by its address if it needs none. `hits`: where the found pages are in its answer. */
type Service = {
  readonly name: string;
  readonly keys: ReadonlyArray<string>;
  readonly address: string;
  readonly baseUrl?: string;
  readonly ask: (query: WebQuery, base: string, key: string) => Asked;
  readonly hits: ReadonlyArray<string>;
};

const MAX_RESULTS = 20;

/** Sites as words of the query, for services without a field for them. */
function withSites({ query, allowedDomains, blockedDomains }: WebQuery): string {
  const sites = allowedDomains.map((domain) => `site:${domain}`).join(' OR ');
  return [query, sites, ...blockedDomains.map((domain) => `-site:${domain}`)].filter(Boolean).join(' ');
}

/** In the order in which they are looked for. */
const SERVICES: ReadonlyArray<Service> = [
  {
    name: 'SearXNG',
    keys: [],
    address: 'SEARXNG_URL',
    ask: (query, base) => ({
      url: `${base}/search?format=json&q=${encodeURIComponent(withSites(query))}`,
      headers: {},
    }),
    hits: ['results'],
  },
  {
    name: 'Brave',
    keys: ['BRAVE_API_KEY', 'BRAVE_SEARCH_API_KEY'],
    address: 'BRAVE_BASE_URL',
    baseUrl: 'https://api.search.brave.com',
    ask: (query, base, key) => ({
      url: `${base}/res/v1/web/search?count=${MAX_RESULTS}&q=${encodeURIComponent(withSites(query))}`,
      headers: { 'x-subscription-token': key },
    }),
    hits: ['web', 'results'],
  },
  {
    name: 'Tavily',
    keys: ['TAVILY_API_KEY'],
    address: 'TAVILY_BASE_URL',
    baseUrl: 'https://api.tavily.com',
    ask: ({ query, allowedDomains, blockedDomains }, base, key) => ({
      url: `${base}/search`,
      headers: { authorization: `Bearer ${key}` },
      body: { query, max_results: MAX_RESULTS, include_domains: allowedDomains, exclude_domains: blockedDomains },
    }),
    hits: ['results'],
  },
  {
    name: 'Exa',
    keys: ['EXA_API_KEY'],
    address: 'EXA_BASE_URL',
    baseUrl: 'https://api.exa.ai',
    ask: ({ query, allowedDomains, blockedDomains }, base, key) => ({
      url: `${base}/search`,
      headers: { 'x-api-key': key },
      body: {
        query,
        numResults: MAX_RESULTS,
        ...(allowedDomains.length === 0 ? {} : { includeDomains: allowedDomains }),
        ...(blockedDomains.length === 0 ? {} : { excludeDomains: blockedDomains }),
      },
    }),
    hits: ['results'],
  },
];

/** Which one is to be used, where a person says so: a service by its name, `provider` for the model's own, or `none`. */
const CHOICE = 'ATTRACTOR_WEB_SEARCH';

/**
 * The service that a person chose, otherwise the first whose key, or address if it needs no key, is among the variables; undefined: none.
 * `own` asks the provider of the session's model. It is used only if it is chosen: each search is a request that is paid for.
 */
export function searchServiceIn(variables: Variables, own?: SearchWeb): SearchWeb | undefined {
  const set = (name: string): string | undefined => variables[name]?.trim() || undefined;
  const chosen = set(CHOICE)?.toLowerCase();
  if (chosen === 'none') return undefined;
  if (chosen === 'provider') return own;
  const candidates = SERVICES.filter(({ name }) => chosen === undefined || name.toLowerCase() === chosen);
  if (candidates.length === 0) return () => Promise.reject(new Error(unknownChoice(chosen ?? '')));
  for (const service of candidates) {
    const key = service.keys.map(set).find((value) => value !== undefined);
    const base = set(service.address) ?? service.baseUrl;
    const isReady = service.keys.length === 0 ? base !== undefined : key !== undefined;
    if (isReady && base !== undefined)
      return (query) => search(service, query, { base: base.replace(/\/+$/, ''), key: key ?? '' });
  }
  return undefined;
}

function unknownChoice(chosen: string): string {
  const names = SERVICES.map(({ name }) => name.toLowerCase()).join(', ');
  return `${CHOICE} is ${chosen}, which is none of ${names}, provider and none`;
}

/** The search tool of the provider itself, in a request apart from the conversation. */
export function searchOfProvider(client: Client, { provider, model }: { provider: string; model: string }): SearchWeb {
  return async ({ query, allowedDomains, blockedDomains, signal }) => {
    const limit = AbortSignal.timeout(PROVIDER_TIMEOUT_MS);
    const abortSignal = signal === undefined ? limit : AbortSignal.any([limit, signal]);
    return searchWeb(client, { provider, model, query, allowedDomains, blockedDomains, abortSignal });
  };
}

type Place = { readonly base: string; readonly key: string };

const TIMEOUT_MS = 30_000;
const PROVIDER_TIMEOUT_MS = 120_000;

async function search(service: Service, query: WebQuery, { base, key }: Place): Promise<ReadonlyArray<WebHit>> {
  const { url, headers, body } = service.ask(query, base, key);
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  const text = await answerTo(service.name, url, {
    headers: {
      accept: 'application/json',
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    signal: query.signal === undefined ? limit : AbortSignal.any([limit, query.signal]),
    redirect: 'manual',
  });
  return hitsIn(service, text);
}

/** What it answered with a success status; throws in words for a person. */
async function answerTo(name: string, url: string, init: RequestInit): Promise<string> {
  let answer: Response;
  let text: string | null;
  try {
    answer = await fetch(url, init);
    text = answer.ok ? await readBounded(answer) : '';
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    throw new Error(`${name} did not answer at ${new URL(url).host}: ${messageOf(error)}${cause}.`, { cause: error });
  }
  const { status } = answer;
  if (status >= 300 && status < 400)
    throw new Error(
      `${name} leads to ${answer.headers.get('location') ?? 'another address'}: set its address to that, if it is right.`,
    );
  if (!answer.ok) throw new Error(`${name} answered with ${status}${REMEDY[status] ?? ''}.`);
  if (text === null) throw new Error(`${name} answered with more than ${MAX_BYTES >> 20} MB.`);
  return text;
}

const MAX_BYTES = 8 << 20;

async function readBounded({ body }: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BYTES) return null;
  }
  return text + decoder.decode();
}

/** An answer without a list is no answer: nothing found is an empty one. */
function hitsIn({ name, hits }: Service, text: string): ReadonlyArray<WebHit> {
  const said = parsed(text);
  if (said === undefined)
    throw new Error(
      `${name} answered with ${/^\s*</.test(text) ? 'a web page' : 'what is no JSON'}: check its address.`,
    );
  const found = hits.reduce<unknown>((at, field) => (isRecord(at) ? at[field] : undefined), said);
  if (Array.isArray(found)) return found.filter(isRecord).flatMap(hitOf);
  // Brave leaves the list out where it found nothing.
  const problem = isRecord(said) ? (said['error'] ?? said['detail'] ?? said['message']) : null;
  if (isRecord(said) && hits.length > 1 && (problem ?? null) === null) return [];
  const why = typeof problem === 'string' ? problem : JSON.stringify(problem ?? said);
  throw new Error(`${name} answered with no list of pages: ${why.slice(0, 200)}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const REMEDY: Readonly<Record<number, string>> = {
  401: ': its key is not accepted',
  403: ': it does not allow this (SearXNG needs the format json in its settings)',
  429: ': too many searches for now',
};

function hitOf(row: Readonly<Record<string, unknown>>): ReadonlyArray<WebHit> {
  const { url, title, description, content, text } = row;
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return [];
  const snippet = [description, content, text].find((one) => typeof one === 'string' && one !== '');
  return [
    {
      url,
      title: typeof title === 'string' && title !== '' ? title : url,
      ...(typeof snippet === 'string' ? { snippet: snippet.replaceAll(/<[^>]*>/g, '').slice(0, 300) } : {}),
    },
  ];
}
