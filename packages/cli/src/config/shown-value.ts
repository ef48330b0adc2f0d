import { redactText } from '@attractor/redact';
import type { SettingEntry } from '@attractor/settings';

/** Fields and variables whose value is always masked. */
const SECRET = /(?:key|token|secret|password|passwd|credential|authorization|cookie)s?$/i;
const MASK = '[redacted]';

/** A value as it may be shown: without secrets, whatever its name. */
export function shownValue({ name, key, value }: SettingEntry): unknown {
  const last = key?.split('.').at(-1) ?? name;
  return masked(last, value);
}

function masked(name: string, value: unknown): unknown {
  if (typeof value === 'string') return SECRET.test(name) ? MASK : redactText(value);
  if (Array.isArray(value)) return value.map((item) => masked(name, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([inner, item]) => [inner, HEADERS.test(name) ? MASK : masked(inner, item)]),
  );
}

/** Headers and variables of servers contain keys under any name. */
const HEADERS = /^(?:headers|http_headers|env|environment)$/i;
