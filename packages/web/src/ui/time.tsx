import { useSyncExternalStore } from 'react';
import { LONG_AGO_MS, showAgo, showDay, showDuration, showWholeDate } from '@attractor/api/shown';

/** Runs while `until` is null; one clock updates all of them. */
export function Elapsed({ since, until }: { readonly since: string; readonly until: string | null }) {
  const begun = Date.parse(since);
  const text = useTicking((now) =>
    until === null
      ? showDuration(Math.max(0, Math.floor((now - begun) / 1000) * 1000))
      : showDuration(Math.max(0, Date.parse(until) - begun)),
  );
  return <span className="tabular-nums">{text}</span>;
}

export function Ago({ at }: { readonly at: string }) {
  const since = Date.parse(at);
  const text = useTicking((now) => (now - since > LONG_AGO_MS ? showWholeDate(at) : showAgo(now - since)));
  return (
    <time dateTime={at} title={showDay(at)} className="whitespace-nowrap">
      {text}
    </time>
  );
}

const clock = { now: 0, timer: 0, listeners: new Set<() => void>() };

/** A text that depends on the time; who shows it is drawn anew only when it reads differently. */
function useTicking(textAt: (now: number) => string): string {
  return useSyncExternalStore(listen, () => textAt(readClock()));
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
