import type { Answer, Failure, StreamQuery } from '@attractor/api';
import { useEffect, useState } from 'react';
import { api } from './api.ts';
import { showConnection } from './connection.ts';
import { followLog, type LiveBatch } from './live.ts';

/** Something a screen shows: loaded once as a snapshot, then kept up to date by the log. */
export type LiveSource<Value> = {
  readonly load: () => Promise<Answer<Value>>;
  readonly query: StreamQuery;
  /** The position in the log up to which the loaded value has read. */
  readonly readTo: (value: Value) => number;
  readonly fold: (value: Value, batch: LiveBatch) => Value;
};

export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: Failure }
  | { readonly state: 'ready'; readonly value: Value };

/** `makeSource` is called again only when `key` changes. */
export function useLive<Value>(key: string, makeSource: (key: string) => LiveSource<Value>): Loaded<Value> {
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly is: Loaded<Value> }>({ key, is: LOADING });
  useEffect(() => {
    const source = makeSource(key);
    let stop: (() => void) | null = null;
    let gone = false;
    const begin = async () => {
      const answer = await source.load();
      if (gone) return;
      if (!answer.ok) return setLoaded({ key, is: { state: 'failed', error: answer.error } });
      let { value } = answer;
      setLoaded({ key, is: { state: 'ready', value } });
      stop = followLog({
        open: api.events.stream,
        query: source.query,
        after: source.readTo(value),
        onConnection: showConnection,
        onBatch: (batch) => {
          value = source.fold(value, batch);
          setLoaded({ key, is: { state: 'ready', value } });
        },
      });
    };
    void begin();
    return () => {
      gone = true;
      stop?.();
    };
  }, [key, makeSource]);
  return loaded.key === key ? loaded.is : LOADING;
}

const LOADING = { state: 'loading' } as const;
