import { isSecretValue } from './judge-value.ts';
import { sensitiveKind } from './sensitive-names.ts';

type Redact = (text: string) => string;

/**
 * The value without secrets: in strings, in keys, and under keys that mark their value as secret. Parts without secrets stay the same
 * objects. Errors keep their class. What is not plain data (functions, class instances) is passed through.
 */
export function redactDeep<Value>(value: Value, redact: Redact): Value;
export function redactDeep(value: unknown, redact: Redact): unknown {
  return redactAny(value, { redact, above: [] });
}

type Walk = { readonly redact: Redact; readonly above: ReadonlyArray<object> };

function redactAny(value: unknown, walk: Walk): unknown {
  if (typeof value === 'string') return walk.redact(value);
  if (typeof value !== 'object' || value === null || walk.above.includes(value)) return value;
  const below = { ...walk, above: [...walk.above, value] };
  if (Array.isArray(value)) return redactList(value, below);
  if (value instanceof Error) return redactError(value, below);
  return isPlain(value) ? redactFields(value, below) : value;
}

function redactList(list: ReadonlyArray<unknown>, walk: Walk): ReadonlyArray<unknown> {
  const redacted = list.map((item) => redactAny(item, walk));
  return redacted.every((item, index) => item === list[index]) ? list : redacted;
}

function redactFields(value: object, walk: Walk): object {
  const entries = Object.entries(value);
  const redacted = entries.map(([name, inner]) => [walk.redact(name), redactField(name, inner, walk)] as const);
  const unchanged = redacted.every(
    ([name, inner], index) => name === entries[index]?.[0] && inner === entries[index][1],
  );
  return unchanged ? value : Object.fromEntries(redacted);
}

function redactField(name: string, value: unknown, walk: Walk): unknown {
  if (typeof value !== 'string' || value.length < 6) return redactAny(value, walk);
  const kind = sensitiveKind(name);
  const isSecret = kind !== null && isSecretValue(value, { kind, demand: 'likely', quoted: true });
  return isSecret ? `[redacted:${kind}]` : walk.redact(value);
}

/** A copy with the same class. The stack repeats the message, so it is redacted as well. */
function redactError(error: Error, walk: Walk): Error {
  const fields = Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name)] as const);
  const redacted = fields.map(([name, inner]) => [name, redactField(name, inner, walk)] as const);
  if (redacted.every(([, inner], index) => inner === fields[index]?.[1])) return error;
  const copy = new Error();
  Object.setPrototypeOf(copy, Object.getPrototypeOf(error));
  for (const [name, inner] of redacted) {
    const enumerable = Object.prototype.propertyIsEnumerable.call(error, name);
    Object.defineProperty(copy, name, { value: inner, enumerable, writable: true, configurable: true });
  }
  return copy;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
