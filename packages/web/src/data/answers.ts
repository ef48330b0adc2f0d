import { type Answer, type Failure, failure } from '@attractor/api';
import { QueryClient, useQuery, type QueryKey } from '@tanstack/react-query';

/** What a place shows of something that the server knows. A failed second look keeps the value and says so. */
export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: Failure; readonly again: () => void }
  | { readonly state: 'ready'; readonly value: Value; readonly again: () => void };

/** A failure on its way through the cache, which knows throws only. */
class FailedCall extends Error {
  readonly failure: Failure;
  constructor(given: Failure) {
    super(given.message);
    this.failure = given;
  }
}

const FRESH_MS = 5_000;

export function createCache(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (count, error) => isAway(failureOf(error)) && count < 2,
        retryDelay: 300,
        staleTime: FRESH_MS,
        networkMode: 'always',
      },
    },
  });
}

const AWAY: ReadonlySet<Failure['code']> = new Set(['network', 'internal', 'unavailable', 'database']);

/** A server that is away or busy, or a proxy that finds none behind it, has not answered yet: another try may be. */
export function isAway({ code }: Failure): boolean {
  return AWAY.has(code);
}

export type AskOptions<Value = unknown> = {
  /** Nothing is asked for until then. */
  readonly enabled?: boolean;
  /** For what changes without an event. */
  readonly every?: number | ((known: Value) => number | false);
};

/** Asks once for every part of the page that wants the same; `key` names it. */
export function useAnswer<Value>(
  key: QueryKey,
  call: () => Promise<Answer<Value>>,
  { enabled = true, every }: AskOptions<Value> = {},
): Loaded<Value> {
  const query = useQuery({
    queryKey: key,
    queryFn: async () => valueOf(await call()),
    enabled,
    refetchInterval: ({ state: { data } }) =>
      typeof every === 'function' ? data !== undefined && every(data) : (every ?? false),
  });
  return loadedOf(query);
}

export function valueOf<Value>(answer: Answer<Value>): Value {
  if (!answer.ok) throw new FailedCall(answer.error);
  return answer.value;
}

type Asked<Value> = {
  readonly data: Value | undefined;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
};

export function loadedOf<Value>({ data, error, refetch }: Asked<Value>): Loaded<Value> {
  const again = () => void refetch();
  if (data !== undefined) return { state: 'ready', value: data, again };
  return error === null ? { state: 'loading' } : { state: 'failed', error: failureOf(error), again };
}

function failureOf(error: Error): Failure {
  return error instanceof FailedCall ? error.failure : failure('internal', error.message);
}
