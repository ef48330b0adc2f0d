import { indexAnchors, unfinishedAnchor, type AnchorIndex } from './anchors.ts';
import { findSecrets, KINDS, shapesOfSecrets } from './find-secrets.ts';
import { knownSecretAnchors } from './known-secrets.ts';
import { redactDeep } from './redact-value.ts';
import type { Span } from './searched-text.ts';

/**
 * Removes secrets from what is stored, shown or sent. Each leaves a mask with its type, `[redacted:github-token]`, and neither its length
 * nor its characters. Redacting twice changes nothing; a value without secrets is returned as the same object.
 */
export type Redactor = {
  readonly text: (text: string) => string;
  /** Every string of a JSON value or an error, keys included. */
  readonly value: <Value>(value: Value) => Value;
  /** The parts of the text that are secrets, in order; and from where on more text could change that. */
  readonly inspect: (text: string) => Inspected;
};

export type Inspected = { readonly spans: ReadonlyArray<Span>; readonly openFrom: number };

export type RedactorOptions = {
  /** Exact values to remove wherever they occur: keys of providers, values of sensitive variables. */
  readonly secrets?: Iterable<string>;
};

const SHORTEST = 6;
const MAX_PASSES = 8;
/** Names of fields, kinds and tools come with every event: for texts this short it is remembered that they contain no secret. */
const REMEMBERED_LENGTH = 32;
const MAX_REMEMBERED = 1024;

/** Knows the forms of secrets, and the values in `secrets` in any form. */
export function createRedactor({ secrets = [] }: RedactorOptions = {}): Redactor {
  const known = knownSecretAnchors(secrets);
  let made: AnchorIndex | undefined;
  /** One search for both: a text is scanned once. */
  const index = (): AnchorIndex =>
    (made ??= known.length === 0 ? shapesOfSecrets() : indexAnchors(known, shapesOfSecrets()));
  const harmless = new Set<string>();
  const text = (input: string): string => {
    if (harmless.has(input)) return input;
    let current = input;
    for (let pass = 0; pass < MAX_PASSES && current.length >= SHORTEST; pass++) {
      const { spans } = findSecrets(current, index());
      if (spans.length === 0) break;
      current = mask(current, inOrder(spans));
    }
    if (current === input && input.length <= REMEMBERED_LENGTH && harmless.size < MAX_REMEMBERED) harmless.add(input);
    return current;
  };
  return {
    text,
    value: (value) => redactDeep(value, text),
    inspect: (input) => {
      const { spans, openFrom } = findSecrets(input, index());
      return {
        spans: inOrder(spans),
        openFrom: Math.min(openFrom, input.length - unfinishedAnchor(input, index())),
      };
    },
  };
}

/** The redactor that knows types of secrets, and no particular one. */
export function redactText(text: string): string {
  plain ??= createRedactor();
  return plain.text(text);
}

export function mask(text: string, spans: ReadonlyArray<Span>): string {
  let result = '';
  let from = 0;
  for (const { start, end, kind } of spans) {
    result += `${text.slice(from, start)}[redacted:${kind}]`;
    from = end;
  }
  return result + text.slice(from);
}

/** Whether the text contains a mask, so it is not the original. */
export function holdsMask(text: string): boolean {
  if (!text.includes('[redacted:')) return false;
  return [...text.matchAll(/\[redacted:([a-z0-9-]+)\]/g)].some(([, kind]) => KINDS.has(kind ?? ''));
}

let plain: Redactor | undefined;

/** From left to right; overlapping spans are merged, with the type of the first. */
function inOrder(spans: ReadonlyArray<Span>): ReadonlyArray<Span> {
  if (spans.length < 2) return spans;
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const merged: Span[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end };
  }
  return merged;
}
