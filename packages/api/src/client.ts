import { defined } from '@attractor/base';
import type { Fetch, HttpOptions, Send } from './http.ts';
import { type ApiClient, CALLS } from './nouns.ts';

export type ApiClientOptions = {
  readonly baseUrl: string;
  readonly token?: string;
  readonly fetch?: Fetch;
  /** In place of `fetch`, for programs that start often. */
  readonly send?: Send;
  readonly headers?: () => Readonly<Record<string, string>>;
};

/** Every route as a function that returns a value or a failure; the same in browser, command and tests. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const http: HttpOptions = {
    baseUrl: options.baseUrl,
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
    ...defined({ send: options.send }),
    headers: () => ({
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers?.(),
    }),
  };
  return Object.fromEntries(Object.entries(CALLS).map(([name, calls]) => [name, calls(http)])) as ApiClient;
}
