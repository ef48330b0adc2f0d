import { createHash } from 'node:crypto';

/** One thing that took time, as a trace viewer shows it. Times are milliseconds since 1970. */
export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** Why it failed, in a word. Null: it did not. */
  readonly error: string | null;
};

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Ids follow from the run, so that a span that is sent twice is the same span. */
export function traceIdOf(runId: string): string {
  return createHash('sha256').update(`trace ${runId}`).digest('hex').slice(0, 32);
}

export function spanIdOf(runId: string, key: string): string {
  return createHash('sha256').update(`span ${runId} ${key}`).digest('hex').slice(0, 16);
}
