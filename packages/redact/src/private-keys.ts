import type { Anchor } from './anchors.ts';
import { BASE64, KEY_TEXT, PEM_LABEL } from './characters.ts';
import { runEnd, type SearchedText, type Span } from './searched-text.ts';

export const PRIVATE_KEY_KIND = 'private-key';

/**
 * Keys between BEGIN and END lines, however they are shown: unchanged, as one line with escapes, in a listing with line numbers. Without
 * END (truncated output) everything that can still be part of the key is taken.
 */
export function privateKeyAnchors(): ReadonlyArray<Anchor> {
  return [
    { literal: '-----BEGIN', letters: 'exact', match: matchPem },
    { literal: '-----END', letters: 'exact', stands: 'before', match: matchCutOffPem },
    { literal: 'Private-Lines:', letters: 'exact', match: matchPutty },
  ];
}

const DASHES = '-----';
const LABEL = /PRIVATE KEY(?: BLOCK)?$/;
const MAX_LABEL = 48;
const MAX_KEY = 64 << 10;
/** The shortest part of a key that differs from prose. */
const KEY_LINE = /[A-Za-z0-9+/=]{32,}/;

function matchPem(searched: SearchedText, at: number): Span | null {
  const body = afterLabel(searched, at + '-----BEGIN'.length);
  if (body === -1) return null;
  const end = endOfKey(searched, body);
  if (end !== -1) return { start: at, end, kind: PRIVATE_KEY_KIND };
  const bodyEnd = endOfLines(searched, body);
  return bodyEnd === -1 ? null : { start: at, end: bodyEnd, kind: PRIVATE_KEY_KIND };
}

/** Where the lines that can be part of a key end; -1 if there are none. */
function endOfLines(searched: SearchedText, body: number): number {
  let end = -1;
  for (let from = body; ;) {
    BETWEEN_LINES.lastIndex = from;
    const start = from + (BETWEEN_LINES.exec(searched.text)?.[0].length ?? 0);
    const lineEnd = runEnd(searched, start, BASE64);
    const line = searched.text.slice(start, Math.min(lineEnd, start + MAX_LINE));
    const isLast = end !== -1 && /^(?:$|[\r\n]|\\[rn])/.test(searched.text.slice(lineEnd, lineEnd + 2));
    const isKey = line.length >= 24 || (isLast && /\d|[+/=]|[a-z][A-Z]|[A-Z]{2}/.test(line));
    if (!isKey) return end;
    end = lineEnd;
    from = lineEnd;
  }
}

/** White space, escaped or not, and the margins of listings, quotations and source code. */
const BETWEEN_LINES = /(?:\s|\\[nrt]|\d{1,6}[\t:|]|["'+,>|]){0,64}/y;

/** The next five dashes end the key, or it has no end. */
function endOfKey(searched: SearchedText, body: number): number {
  const textEnd = runEnd(searched, body, KEY_TEXT);
  const mark = searched.text.slice(body, Math.min(textEnd, body + MAX_KEY)).indexOf(DASHES);
  if (mark === -1 || !searched.text.startsWith('-----END', body + mark)) return -1;
  searched.reachedEnd = false;
  return afterLabel(searched, body + mark + '-----END'.length);
}

/** The end of a key whose beginning was cut off: the lines before the END line that contain nothing else. */
function matchCutOffPem(searched: SearchedText, at: number): Span | null {
  const end = afterLabel(searched, at + '-----END'.length);
  if (end === -1) return null;
  const before = searched.text.slice(Math.max(searched.covered, at - MAX_CUT_OFF), at);
  const margin = /(?:^|\n|\\n)[ \t\d:|>"'+]{0,16}$/.exec(before.slice(-18));
  if (margin === null) return null;
  let start = before.length - margin[0].length;
  let first = start;
  for (;;) {
    const lineStart = before.lastIndexOf('\n', start - 1) + 1;
    const line = before.slice(lineStart, start);
    if (start <= 0 || line.length > MAX_LINE || !WHOLE_LINE.test(line)) break;
    first = lineStart;
    start = lineStart - 1;
  }
  const key = before.slice(first);
  return KEY_LINE.test(key) ? { start: at - key.length, end, kind: PRIVATE_KEY_KIND } : null;
}

const MAX_CUT_OFF = 8192;
const MAX_LINE = 256;
/** A line of a key, perhaps with a number, a margin or quotes around it. */
const WHOLE_LINE = /^(?:[ \t]*\d*[ \t:|>]+)?["']?[A-Za-z0-9+/=]{8,}(?:\\n)?["']?[ \t,+]*\r?$/;

function matchPutty(searched: SearchedText, at: number): Span | null {
  const line = /^Private-Lines: ?\d{1,4}\s/.exec(searched.text.slice(at, at + 24));
  if (line === null) return null;
  const from = at + line[0].length;
  const end = endOfLines(searched, from);
  return end === -1 ? null : { start: from, end, kind: PRIVATE_KEY_KIND };
}

/** Where the line with the label ends, or -1 if it is not that of a private key. */
function afterLabel(searched: SearchedText, from: number): number {
  const end = runEnd(searched, from, PEM_LABEL);
  if (end - from > MAX_LABEL || !LABEL.test(searched.text.slice(from, end))) return -1;
  if (end + DASHES.length > searched.text.length) searched.reachedEnd = true;
  return searched.text.startsWith(DASHES, end) ? end + DASHES.length : -1;
}
