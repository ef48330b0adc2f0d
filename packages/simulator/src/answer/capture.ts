import type { ModelRequest } from '../protocols/protocol.ts';
import type { Capture } from '../script/types.ts';

export type Captured = ReadonlyMap<string, string>;

/** Values taken from the request, for `{{name}}` in what the model says. */
export function captureValues(request: ModelRequest, rules: readonly (Capture | undefined)[]): Captured {
  const values = new Map<string, string>();
  for (const rule of rules) {
    for (const [name, { from, regex }] of Object.entries(rule ?? {})) {
      const found = new RegExp(regex, 'su').exec(sourceText(request, from));
      const value = found?.[1] ?? found?.[0];
      if (value !== undefined) values.set(name, value);
    }
  }
  return values;
}

function sourceText(request: ModelRequest, from: Capture[string]['from']): string {
  if (from === 'toolResult') return request.toolResults.join('\n');
  if (from === 'body') return JSON.stringify(request.body);
  return request[from];
}

/** Fills `{{name}}` in every string of a value. A name that was not captured stays as written. */
export function fill<T>(value: T, captured: Captured): T {
  if (captured.size === 0) return value;
  return fillAny(value, captured) as T;
}

function fillAny(value: unknown, captured: Captured): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => captured.get(name) ?? all);
  }
  if (Array.isArray(value)) return value.map((item) => fillAny(item, captured));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillAny(item, captured)]));
}
