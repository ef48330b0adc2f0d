import type { Attributes, Span } from './span.ts';

/** The body of one export, as OTLP over HTTP has it in JSON. */
export function otlpBody(spans: ReadonlyArray<Span>, resource: Attributes): string {
  const scopeSpans = [{ scope: { name: 'attractor' }, spans: spans.map(otlpSpan) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: otlpAttributes(resource) }, scopeSpans }] });
}

const KINDS = { internal: 1, client: 3 } as const;
const ERROR = 2;

function otlpSpan(span: Span): object {
  const { error } = span;
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(span.endMs),
    attributes: otlpAttributes(error === null ? span.attributes : { ...span.attributes, 'error.type': error }),
    // Whether something that did not fail went well is for whoever reads it: the protocol leaves it unset.
    status: error === null ? {} : { code: ERROR, message: error },
  };
}

/** 64-bit numbers are texts in JSON. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`;
}

function otlpAttributes(attributes: Attributes): ReadonlyArray<object> {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }));
}

function otlpValue(value: string | number | boolean): object {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'string') return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
