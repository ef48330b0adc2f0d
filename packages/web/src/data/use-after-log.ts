import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLogSeq } from './task-list.ts';

/** Events may come fast; what they change is asked for once they pause. */
const PAUSE_MS = 250;

/** Asks again for everything under `key` when the log has grown. */
export function useAfterLog(key: QueryKey): void {
  const cache = useQueryClient();
  const seq = useLogSeq();
  const name = JSON.stringify(key);
  useEffect(() => {
    if (seq === 0) return undefined;
    const timer = window.setTimeout(() => void cache.invalidateQueries({ queryKey: JSON.parse(name) }), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [cache, seq, name]);
}
