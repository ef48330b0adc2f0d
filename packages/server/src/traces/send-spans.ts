import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@attractor/base';
import type { TraceSettings } from '../trace-settings.ts';
import { otlpBody } from './otlp.ts';
import type { Span } from './span.ts';

/** Sends spans to a collector, in batches and in order. What it can't take in time is dropped: work never waits for those who watch it. */
export type SpanSender = {
  readonly add: (spans: ReadonlyArray<Span>) => void;
  /** Sends what is left, for at most `graceMs`. */
  readonly close: (graceMs: number) => Promise<void>;
};

const AT_ONCE = 500;
const KEPT = 5_000;
const GATHER_MS = 1_000;
const PATIENCE_MS = 10_000;
const RETRIES = 4;
const FIRST_PAUSE_MS = 500;

/** The statuses after which the protocol asks for another try. */
const RETRYABLE = new Set([429, 502, 503, 504]);

export function createSpanSender(settings: TraceSettings, onTrouble: (message: string) => void): SpanSender {
  let waiting: Span[] = [];
  let sending: Promise<void> | null = null;
  let isInTrouble = false;
  const closing = new AbortController();
  const drain = async (): Promise<void> => {
    if (!closing.signal.aborted)
      await sleep(GATHER_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, AT_ONCE);
      waiting = waiting.slice(batch.length);
      const problem = await send(settings, batch);
      if (problem !== null && !isInTrouble) onTrouble(`Traces can't be sent to ${settings.url}: ${problem}`);
      isInTrouble = problem !== null;
    }
  };
  const start = (): void => {
    sending ??= drain().finally(() => {
      sending = null;
      if (waiting.length > 0) start();
    });
  };
  return {
    add: (spans) => {
      if (spans.length === 0) return;
      waiting = [...waiting, ...spans].slice(-KEPT);
      start();
    },
    close: async (graceMs) => {
      closing.abort();
      await Promise.race([sending, sleep(graceMs, undefined, { ref: false })]);
    },
  };
}

/** Null: it was taken. Otherwise why not. */
async function send({ url, headers, resource }: TraceSettings, spans: ReadonlyArray<Span>): Promise<string | null> {
  const body = otlpBody(spans, resource);
  let problem = '';
  for (let attempt = 0; attempt <= RETRIES; attempt += 1) {
    if (attempt > 0) await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { ref: false });
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      await response.arrayBuffer();
      if (response.ok) return null;
      problem = `status ${response.status}`;
      if (!RETRYABLE.has(response.status)) return problem;
    } catch (error) {
      problem = messageOf(error);
    }
  }
  return problem;
}
