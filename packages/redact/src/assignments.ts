import type { Anchor } from './anchors.ts';
import { LETTER, UPPER_DIGIT, WORD_DASH, isIn } from './characters.ts';
import { isSecretValue, type Demand } from './judge-value.ts';
import { charAt, codeAt, runEnd, type SearchedText, type Span } from './searched-text.ts';
import { sensitiveKind } from './sensitive-names.ts';
import { valueAt, type Value } from './value-at.ts';

/*
  assignment = name [quote] ["]"] spaces sign spaces value       password = "…"   {"apiKey":"…"}   DB_PASS=…   token: …
             | "--" name " " value                               --password …
             | "<" name ">" value                                <password>…
  netrc      = "login" space user space "password" space value
  sign       = "=" | ":" | ":=" | "=>" | "==" | "==="
*/

/** The words that names end with; for a common word, its rare part. */
export function assignmentAnchors(): ReadonlyArray<Anchor> {
  const words = 'password passwd passphrase passcode pwd pass= pass: ecret token redential _auth=';
  return [
    ...words
      .split(' ')
      .map((literal): Anchor => ({ literal, letters: 'any', stands: 'before', match: matchAssignment })),
    { literal: 'key', letters: 'any', stands: 'before', match: matchKey },
    { literal: '_KEY=', letters: 'exact', stands: 'before', match: matchKeyVariable },
  ];
}

const MAX_NAME = 64;
const MAX_SPACES = 8;

/** Most keys are keys of a map or of a keyboard: a name ends here and has something before it, or there is nothing to do. */
function matchKey(searched: SearchedText, at: number): Span | null {
  const next = codeAt(searched, at + 3);
  const isEnd = !isIn(LETTER, next) || isIn(UPPER_DIGIT, next);
  return at > 0 && isEnd && isIn(WORD_DASH, searched.text.charCodeAt(at - 1)) ? matchAssignment(searched, at) : null;
}

function matchAssignment(searched: SearchedText, at: number): Span | null {
  const nameEnd = runEnd(searched, at, WORD_DASH);
  if (nameEnd - at > MAX_NAME) return null;
  const start = nameStart(searched.text, at);
  if (nameEnd - start > MAX_NAME) return null;
  const name = searched.text.slice(start, nameEnd);
  const kind = name === '_auth' ? 'credential' : sensitiveKind(name);
  if (kind === null) return null;
  const sign = signAfter(searched, { start, end: nameEnd, name });
  if (sign === null) return null;
  const value = valueAt(searched, sign.end, isVariable(name) && sign.text === '=' ? 'line' : 'word');
  if (value === null) return null;
  const text = searched.text.slice(value.start, Math.min(value.end, value.start + CHECKED));
  if (kind === 'aws-secret-key' && /^[A-Za-z0-9/+=]{40}/.test(text)) return { ...value, kind };
  const demand = demandOf(searched, { name, sign, value, text, start });
  if (!isSecretValue(text, { kind, demand, quoted: value.quoted || sign.text === '>' })) return null;
  return { start: value.start, end: value.end, kind };
}

const CHECKED = 256;

type Sign = { readonly text: string; readonly end: number; readonly spaced: boolean };

function signAfter(searched: SearchedText, name: { start: number; end: number; name: string }): Sign | null {
  let at = name.end;
  while (at < name.end + 4 && charAt(searched, at) === '\\') at++;
  const quote = /["'`]/.test(charAt(searched, at));
  if (quote) at++;
  if (quote && charAt(searched, at) === ']') at++;
  const spacesEnd = skipSpaces(searched, at);
  const one = charAt(searched, spacesEnd);
  if (one === '>' && searched.text[name.start - 1] === '<') return { text: '>', end: spacesEnd + 1, spaced: false };
  if (one === '=' || one === ':') return fullSign(searched, spacesEnd, at);
  const isFlag = name.name.startsWith('--') && spacesEnd > at;
  const isNetrc = spacesEnd > at && LOGIN.test(searched.text.slice(Math.max(0, name.start - 180), name.start));
  return isFlag || isNetrc ? { text: ' ', end: spacesEnd, spaced: false } : null;
}

/** On the same line or the one before, which a listing may have numbered, and JSON escaped. */
const LOGIN =
  /\blogin(?:\s|\\[nrt]){1,8}[^\s\\]{1,80}(?:\s|\\[nrt]){1,16}(?:[\w./-]{0,80}:?\d{1,6}(?:[:\t|-]|\\t)(?:\s|\\[nrt]){0,16}){0,3}$/;

function fullSign(searched: SearchedText, from: number, nameEnd: number): Sign {
  let end = from + 1;
  while (end < from + 3 && /[=>]/.test(charAt(searched, end))) end++;
  const valueStart = skipSpaces(searched, end);
  return {
    text: searched.text.slice(from, end),
    end: valueStart,
    spaced: from > nameEnd || valueStart > end,
  };
}

function skipSpaces(searched: SearchedText, from: number): number {
  let at = from;
  while (at < from + MAX_SPACES && /[ \t]/.test(charAt(searched, at))) at++;
  return at;
}

type Found = {
  readonly name: string;
  readonly sign: Sign;
  readonly value: Value;
  readonly text: string;
  readonly start: number;
};

function demandOf(searched: SearchedText, { name, sign, value, text, start }: Found): Demand {
  if (sign.text === '=' && !sign.spaced && isVariable(name)) return 'any';
  if (sign.text === ' ') return 'likely';
  if (value.quoted || sign.text === '>' || (sign.text === '=' && !sign.spaced)) return 'likely';
  if (sign.text === ':' && sign.spaced) return isOwnName(name, text) ? 'random' : 'likely';
  const before = /(?:^|\n|\\n)[ \t]*$/.test(searched.text.slice(Math.max(0, start - 40), start));
  const isWholeLine = before && /^(?:$|\r|\n|\\[nr])/.test(searched.text.slice(value.end, value.end + 2));
  if (isWholeLine) codeAt(searched, value.end);
  return sign.text === '=' && isWholeLine && !isOwnName(name, text) ? 'likely' : 'random';
}

/** `token = token2` is code. */
function isOwnName(name: string, value: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(value) && value.toLowerCase().includes(name.toLowerCase().slice(-5));
}

function isVariable(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name) && name.length > 3;
}

function nameStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < MAX_NAME && isIn(WORD_DASH, text.charCodeAt(start - 1))) start--;
  const isEscape = start < at && text[start - 1] === '\\' && /[nrt]/.test(text[start] ?? '');
  return isEscape ? start + 1 : start;
}

/** `ANYTHING_KEY=` has many meanings: only a random-looking value is a key. */
function matchKeyVariable(searched: SearchedText, at: number, literal: string): Span | null {
  const name = searched.text.slice(nameStart(searched.text, at), at);
  if (!isVariable(name) || /PUBLIC|PUB$/.test(name)) return null;
  const value = valueAt(searched, at + literal.length, 'line');
  if (value === null) return null;
  const text = searched.text.slice(value.start, Math.min(value.end, value.start + CHECKED));
  const isSecret = isSecretValue(text, { kind: 'api-key', demand: 'random', quoted: value.quoted });
  return isSecret ? { start: value.start, end: value.end, kind: 'api-key' } : null;
}
