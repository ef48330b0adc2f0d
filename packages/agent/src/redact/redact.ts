import type { SessionEvent } from '../types/index.ts';

/** What stands in the place of a secret. A call whose arguments hold it was not stored as the model meant it and never runs again. */
export const REDACTED = '[REDACTED]';

/** Shapes that are secrets wherever they stand. Each is anchored by a prefix that plain text does not have. */
const SECRETS = new RegExp(
  [
    String.raw`\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}`,
    String.raw`\bgh[pousr]_[A-Za-z0-9]{36,}`,
    String.raw`\bgithub_pat_[A-Za-z0-9_]{40,}`,
    String.raw`\bglpat-[A-Za-z0-9_-]{20,}`,
    String.raw`\bnpm_[A-Za-z0-9]{36}\b`,
    String.raw`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`,
    String.raw`\bAIza[A-Za-z0-9_-]{35}\b`,
    String.raw`\bxox[abprs]-[A-Za-z0-9-]{10,}`,
    String.raw`\b[rs]k_live_[A-Za-z0-9]{16,}`,
    String.raw`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`,
    String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----`,
    String.raw`(?<=\b[Bb]earer )[A-Za-z0-9._~+/-]{20,}=*`,
    String.raw`(?<=://[^\s/:@]{1,100}:)[^\s/@]{3,200}(?=@)`,
  ].join('|'),
  'g',
);

export function redactText(text: string): string {
  return text.length < 8 ? text : text.replaceAll(SECRETS, REDACTED);
}

/** The event as it may be stored and shown. The same object when nothing had to go. */
export function redactEvent(event: SessionEvent): SessionEvent {
  const result = redactValue(event);
  return isEventLike(result, event) ? result : event;
}

/** Errors keep their class: only their message is replaced. */
function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return redactList(value);
  if (value instanceof Error) return redactError(value);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const redacted = entries.map(([name, inner]) => [name, redactValue(inner)] as const);
  const unchanged = redacted.every(([, inner], index) => inner === entries[index]?.[1]);
  return unchanged ? value : Object.fromEntries(redacted);
}

function redactList(list: ReadonlyArray<unknown>): ReadonlyArray<unknown> {
  const redacted = list.map(redactValue);
  return redacted.every((item, index) => item === list[index]) ? list : redacted;
}

function redactError(error: Error): Error {
  const message = redactText(error.message);
  if (message === error.message) return error;
  return Object.assign(new Error(message), { name: error.name, ...('code' in error ? { code: error.code } : {}) });
}

function isEventLike(value: unknown, event: SessionEvent): value is SessionEvent {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === event.kind;
}
