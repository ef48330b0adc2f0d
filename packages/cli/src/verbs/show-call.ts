import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '@attractor/api';
import { showWork } from '../show-work.ts';
import type { Output } from '@attractor/console/lines';

/** What a verb has the server do, and whose events tell how far that is. */
export type Busy = { readonly doing: string; readonly of?: LogOf };

type LogOf = { readonly taskId: string } | { readonly projectId: string };

/** Shows that a call takes time, and what the log says meanwhile. Events are read only if it takes long, and somebody looks. */
export function showCall<Value>(
  { client, output }: { readonly client: ApiClient; readonly output: Output },
  { doing, of }: Busy,
  work: () => Promise<Value>,
): Promise<Value> {
  const isShown = output.mode === 'people';
  return showWork({ doing, isShown }, async (tell) => {
    if (!isShown || of === undefined || !process.stderr.isTTY) return work();
    const ended = new AbortController();
    const heard = hear(client, { of, signal: ended.signal, tell }).catch(() => undefined);
    try {
      return await work();
    } finally {
      ended.abort();
      await heard;
    }
  });
}

const LONG_MS = 1_000;

type Hearing = { readonly of: LogOf; readonly signal: AbortSignal; readonly tell: (howFar: string) => void };

/** A line of progress is worth no failure: what can't be read is not shown. */
async function hear(client: ApiClient, { of, signal, tell }: Hearing): Promise<void> {
  const begun = new Date(Date.now() - LONG_MS).toISOString();
  await sleep(LONG_MS, undefined, { signal, ref: false });
  const newest = await client.events.page({ ...of, limit: 1, from: 'newest' });
  const last = newest.ok ? newest.value.at(-1) : undefined;
  if (last !== undefined && last.at > begun) tell(last.summary);
  const opened = await client.events.stream({ ...of, after: last?.seq ?? 0 }, signal);
  if (!opened.ok) return;
  for await (const frame of opened.value) if (frame.kind === 'event') tell(frame.event.summary);
}
