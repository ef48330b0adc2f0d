import { useSyncExternalStore } from 'react';
import { showAgo, showDay, showDuration } from './amounts.ts';

/** Runs while `until` is null; one clock updates all of them. */
export function Elapsed({ since, until }: { readonly since: string; readonly until: string | null }) {
  const now = useNow();
  const end = until === null ? now : Date.parse(until);
  const ms = Math.max(0, end - Date.parse(since));
  return (
    <span className="tabular-nums">
      {until === null ? showDuration(Math.floor(ms / 1000) * 1000) : showDuration(ms)}
    </span>
  );
}

export function Ago({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={showDay(at)} className="whitespace-nowrap">
      {showAgo(now - Date.parse(at))}
    </time>
  );
}

const clock = { now: 0, timer: 0, listeners: new Set<() => void>() };

function useNow(): number {
  return useSyncExternalStore(listen, readClock);
}

function readClock(): number {
  if (clock.now === 0) clock.now = Date.now();
  return clock.now;
}

function listen(listener: () => void): () => void {
  clock.listeners.add(listener);
  if (clock.listeners.size === 1) clock.timer = window.setInterval(tick, 1000);
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size === 0) window.clearInterval(clock.timer);
  };
}

function tick(): void {
  clock.now = Date.now();
  for (const listener of clock.listeners) listener();
}
