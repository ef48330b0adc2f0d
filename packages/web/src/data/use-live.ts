import type { Answer, StreamQuery } from '@attractor/api';
import type { LiveBatch } from '@attractor/api/shown';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Loaded, loadedOf, valueOf } from './answers.ts';
import { api } from './api.ts';
import { reportConnection } from './connection.ts';
import { followLog } from './live.ts';

/** Something that a place shows: loaded once as a snapshot, then kept up to date in the cache by the log. */
export type LiveSource<Value> = {
  /** Two sources with the same name are the same. */
  readonly name: string;
  readonly load: () => Promise<Answer<Value>>;
  readonly query: StreamQuery;
  /** The position in the log up to which the loaded value has read. */
  readonly readTo: (value: Value) => number;
  readonly fold: (value: Value, batch: LiveBatch) => Value;
  /** Whether it is followed while nobody looks at the page. */
  readonly staysHidden?: () => boolean;
};

const LIVE = 'live';

/** What is followed; the first key of its place in the cache. */
export function isLive(key: ReadonlyArray<unknown>): boolean {
  return key[0] === LIVE;
}

export function useLive<Value>(source: LiveSource<Value>): Loaded<Value> {
  const cache = useQueryClient();
  const key = [LIVE, source.name];
  const query = useQuery({
    queryKey: key,
    queryFn: async () => valueOf(await source.load()),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const isReady = query.data !== undefined;
  const latest = useRef(source);
  useEffect(() => {
    latest.current = source;
  });
  const { name } = source;
  useEffect(() => {
    if (!isReady || name !== latest.current.name) return undefined;
    return share(cache, latest.current);
  }, [cache, isReady, name]);
  return loadedOf(query);
}

type Followed = { users: number; readonly stop: () => void };

const followed = new Map<string, Followed>();

/** All parts of the page that show the same share one connection. */
function share<Value>(cache: QueryClient, source: LiveSource<Value>): () => void {
  const known = followed.get(source.name) ?? { users: 0, stop: follow(cache, source) };
  known.users += 1;
  followed.set(source.name, known);
  return () => {
    known.users -= 1;
    if (known.users > 0) return;
    followed.delete(source.name);
    known.stop();
    reportConnection(source.name, null);
  };
}

function follow<Value>(cache: QueryClient, source: LiveSource<Value>): () => void {
  const key = [LIVE, source.name];
  const known = cache.getQueryData<Value>(key);
  return followLog({
    open: api.events.stream,
    query: source.query,
    after: known === undefined ? 0 : source.readTo(known),
    ...(source.staysHidden === undefined ? {} : { staysHidden: source.staysHidden }),
    onConnection: (connection) => reportConnection(source.name, connection),
    onBatch: (batch) =>
      cache.setQueryData<Value>(key, (value) => (value === undefined ? undefined : source.fold(value, batch))),
  });
}
