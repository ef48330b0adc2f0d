import { eachAnchor, indexAnchors, unfinishedAnchor, type AnchorIndex } from './anchors.ts';
import type { Span } from './sight.ts';

/**
 * Secrets whose exact value the host knows, found in every form in which they come back: as they are, in JSON, in an address, in
 * base64 (also within something longer, as in basic authorization). Values shorter than eight characters, and plain words, are not
 * looked for: they would mask ordinary text.
 */
export type KnownSecrets = {
  readonly find: (text: string) => ReadonlyArray<Span>;
  /** How many characters at the end of the text may be the beginning of a form. */
  readonly unfinished: (text: string) => number;
};

const MIN_LENGTH = 8;
const KIND = 'known-secret';
const NOTHING: ReadonlyArray<Span> = [];

export function knownSecrets(values: Iterable<string>): KnownSecrets {
  const forms = [...new Set([...values].filter(isDistinct).flatMap(formsOf))];
  if (forms.length === 0) return { find: () => NOTHING, unfinished: () => 0 };
  const index = indexAnchors(
    forms.map((literal) => ({
      literal,
      letters: 'exact',
      match: (_, at) => ({ start: at, end: at + literal.length, kind: KIND }),
    })),
  );
  return { find: (text) => findAll(text, index), unfinished: (text) => unfinishedAnchor(text, index) };
}

/** A value that does not occur by chance. */
function isDistinct(value: string): boolean {
  return (
    value.length >= MIN_LENGTH &&
    !/^(?:[a-z]{1,15}|[A-Z]{1,15}|[\d.]{1,11}|(.)\1*|(?:~|\.{1,2})?\/[\w./-]*)$/.test(value)
  );
}

function formsOf(value: string): ReadonlyArray<string> {
  const trimmed = value.trim();
  const json = JSON.stringify(trimmed).slice(1, -1);
  const url = encodeURIComponent(trimmed.toWellFormed());
  const forms = [
    trimmed,
    json,
    JSON.stringify(json).slice(1, -1),
    url,
    url.replaceAll('%20', '+'),
    url.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    trimmed.replaceAll('\n', '\r\n'),
    ...base64Forms(trimmed),
  ];
  return forms.filter((form) => form.length >= MIN_LENGTH);
}

/** What is the same in base64 whatever stands before the value: three alignments, without what its neighbours decide. */
function base64Forms(value: string): ReadonlyArray<string> {
  const bytes = Buffer.from(value);
  const whole = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const decided = Math.floor(((shift + bytes.length) * 8) / 6);
    return text.slice(shift === 0 ? 0 : shift + 1, decided);
  });
  return [...whole, ...whole.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
}

function findAll(text: string, index: AnchorIndex): ReadonlyArray<Span> {
  let spans: Span[] | null = null;
  eachAnchor(text, index, (at, { literal }) => {
    (spans ??= []).push({ start: at, end: at + literal.length, kind: KIND });
  });
  return spans ?? NOTHING;
}
