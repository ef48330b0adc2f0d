import { isWordStart, type SearchedText, type Span } from './searched-text.ts';

/** Judges one occurrence of an anchor. Null: no secret. */
export type Matcher = (searched: SearchedText, at: number, literal: string) => Span | null;

/** A text that every secret of some type contains. Never shorter than two characters. */
export type Anchor = {
  readonly literal: string;
  /** `any`: in upper case, lower case or mixed. */
  readonly letters: 'exact' | 'any';
  /** `before`: the anchor is not part of the secret. Otherwise the secret begins with it. */
  readonly stands?: 'before';
  /** The anchor is the whole secret, whatever surrounds it. */
  readonly whole?: true;
  readonly match: Matcher;
};

/**
 * Anchors prepared for search: two tables say, for each pair of characters, which of eight groups of anchors it may begin or continue. A
 * place is examined closely only if one group fits both, so plain text costs two lookups per character.
 */
export type AnchorIndex = {
  readonly begins: Uint8Array;
  readonly goesOn: Uint8Array;
  readonly byPair: ReadonlyMap<number, ReadonlyArray<Anchor>>;
  /** The first characters of the anchors that are part of their secret. */
  readonly firsts: ReadonlySet<string>;
  readonly longest: number;
  /** More anchors, which several indexes share: they are in the tables, but not in `byPair`. */
  readonly shared: AnchorIndex | null;
};

const PAIRS = 128 * 128;

export function indexAnchors(anchors: ReadonlyArray<Anchor>, shared: AnchorIndex | null = null): AnchorIndex {
  const begins = shared?.begins.slice() ?? new Uint8Array(PAIRS);
  const goesOn = shared?.goesOn.slice() ?? new Uint8Array(PAIRS);
  const byPair = new Map<number, Anchor[]>();
  const firsts = anchors.flatMap(({ literal, stands }) => (stands === undefined ? [literal[0] ?? ''] : []));
  const longestFirst = anchors.toSorted((a, b) => b.literal.length - a.literal.length);
  longestFirst.forEach((anchor, index) => {
    const group = 1 << (index % 8);
    eachPair(anchor, 0, (pair) => {
      begins[pair] = (begins[pair] ?? 0) | group;
      const known = byPair.get(pair);
      if (known === undefined) byPair.set(pair, [anchor]);
      else known.push(anchor);
    });
    eachPair(anchor, 1, (pair) => {
      goesOn[pair] = (goesOn[pair] ?? 0) | group;
    });
  });
  const longest = Math.max(longestFirst[0]?.literal.length ?? 0, shared?.longest ?? 0);
  return { begins, goesOn, byPair, firsts: new Set([...firsts, ...(shared?.firsts ?? [])]), longest, shared };
}

/** Calls `visit` for every anchor in the text, from left to right. The longest anchor at a place comes first, shared ones last. */
export function eachAnchor(text: string, index: AnchorIndex, visit: (at: number, anchor: Anchor) => void): void {
  const { begins, goesOn } = index;
  const { length } = text;
  let three = 0;
  for (let end = 0; end <= length; end++) {
    three = ((three << 7) | (end < length ? text.charCodeAt(end) & 127 : 0)) & 0x1fffff;
    const group = begins[three >> 7];
    if (group === 0 || group === undefined) continue;
    if ((group & (goesOn[three & 0x3fff] ?? 0)) !== 0) visitPlace({ text, at: end - 2, index, visit });
  }
}

/**
 * How many characters at the end of the text may begin an anchor with which a secret begins. A single character counts only at the start of
 * a word: it says nothing, and is still known when the rest arrives.
 */
export function unfinishedAnchor(text: string, index: AnchorIndex): number {
  const { begins, firsts, longest } = index;
  for (let from = Math.max(0, text.length - longest); from < text.length - 1; from++) {
    const pair = pairAt(text, from);
    if (begins[pair] === 0) continue;
    for (const { literal, stands } of anchorsOf(pair, index)) {
      if (stands === undefined && text.length - from < literal.length && literal.startsWith(text.slice(from)))
        return text.length - from;
    }
  }
  const isFirst = firsts.has(text.at(-1) ?? '') && isWordStart({ text, covered: 0 }, text.length - 1);
  return isFirst ? 1 : 0;
}

type Place = {
  readonly text: string;
  readonly at: number;
  readonly index: AnchorIndex;
  readonly visit: (at: number, anchor: Anchor) => void;
};

function visitPlace({ text, at, index, visit }: Place): void {
  for (const anchor of anchorsOf(pairAt(text, at), index)) if (standsAt(text, at, anchor)) visit(at, anchor);
}

const NONE: ReadonlyArray<Anchor> = [];

function anchorsOf(pair: number, { byPair, shared }: AnchorIndex): ReadonlyArray<Anchor> {
  const own = byPair.get(pair);
  const others = shared === null ? NONE : anchorsOf(pair, shared);
  return own === undefined ? others : [...own, ...others];
}

function standsAt(text: string, at: number, { literal, letters }: Anchor): boolean {
  if (letters === 'exact') return text.startsWith(literal, at);
  if (at + literal.length > text.length) return false;
  for (let index = 0; index < literal.length; index++) {
    const code = text.charCodeAt(at + index);
    const small = code >= 65 && code <= 90 ? code | 32 : code;
    if (small !== literal.charCodeAt(index)) return false;
  }
  return true;
}

/** Characters beyond ASCII are mapped to others here; the caller compares a found place with the anchor itself. */
function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 1) & 127);
}

/** Marks the pairs of codes that an anchor may have from its character `from` on. After its end anything may follow. */
function eachPair({ literal, letters }: Anchor, from: number, mark: (pair: number) => void): void {
  const right = from + 1 < literal.length ? spellings(literal.charCodeAt(from + 1), letters) : ANYTHING;
  for (const one of spellings(literal.charCodeAt(from), letters)) for (const two of right) mark((one << 7) | two);
}

const ANYTHING: ReadonlyArray<number> = Array.from({ length: 128 }, (_, code) => code);

const CASE = 32;

function spellings(code: number, letters: Anchor['letters']): ReadonlyArray<number> {
  const lower = code | CASE;
  const isLetter = lower >= 97 && lower <= 122;
  return letters === 'any' && isLetter ? [lower, lower ^ CASE] : [code & 127];
}
