import type { Anchor } from './anchors.ts';

const MIN_LENGTH = 8;
const KIND = 'known-secret';

/**
 * Secrets whose exact value the host knows, in every form in which they can reappear: plain, in JSON, in an address, in base64 (also inside
 * something longer, as in basic authorization). Values shorter than eight characters, and plain words, are not searched: they would mask
 * ordinary text.
 */
export function knownSecretAnchors(values: Iterable<string>): ReadonlyArray<Anchor> {
  const forms = new Set([...values].filter(isDistinct).flatMap(formsOf));
  return [...forms].map((literal) => ({
    literal,
    letters: 'exact',
    whole: true,
    match: (_, at) => ({ start: at, end: at + literal.length, kind: KIND }),
  }));
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

/** What is the same in base64 whatever precedes the value: three alignments, without the characters that depend on its neighbours. */
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
