import type { ModelRequest } from '../protocol.ts';
import type { Capture } from '../script/types.ts';
import { isObject } from '../wire/json.ts';

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

/** A copy with `{{name}}` filled in every string. A name that was not captured stays as written. */
export function fill<T>(value: T, captured: Captured): T {
  if (captured.size === 0) return value;
  const copy = { value: structuredClone(value) };
  fillIn(copy, captured);
  return copy.value;
}

function fillIn(node: unknown, captured: Captured): void {
  if (!isObject(node) && !Array.isArray(node)) return;
  for (const [name, item] of Object.entries(node)) {
    if (typeof item !== 'string') fillIn(item, captured);
    else
      Reflect.set(
        node,
        name,
        item.replaceAll(/\{\{(\w+)\}\}/g, (all, key: string) => captured.get(key) ?? all),
      );
  }
}
