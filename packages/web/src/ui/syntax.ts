import type { CodeToken, TokenKind } from '@attractor/api/shown';
import { parse } from 'sugar-high/core';
import { lang, languages } from 'sugar-high/lang';

const KINDS: Readonly<Record<string, TokenKind>> = {
  keyword: 'keyword',
  string: 'string',
  comment: 'comment',
  class: 'name',
  entity: 'name',
  property: 'name',
};

/** Endings that the languages do not name themselves. */
const ENDINGS: Readonly<Record<string, string>> = { mjs: 'js', cjs: 'js', mts: 'ts', cts: 'ts', h: 'c', hpp: 'cpp' };

/** Longer texts would hold up the page. */
const LONGEST = 60_000;

/** The lines of a text cut into tokens, by the language that a file name or a fence names; null if none is known. */
export function codeLines(name: string, text: string): ReadonlyArray<ReadonlyArray<CodeToken>> | null {
  const config = configOf(name);
  if (config === undefined || text.length > LONGEST) return null;
  const lines = parse(text, config).lines.map(({ tokens }) =>
    tokens
      .filter(({ type }) => type !== 'break')
      .map(({ type, value }) => ({ text: value, kind: KINDS[type] ?? null })),
  );
  const isWhole = lines.map((line) => line.map((token) => token.text).join('')).join('\n') === text;
  return isWhole ? lines : null;
}

function configOf(name: string) {
  const last = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  const ending = last.slice(last.lastIndexOf('.') + 1);
  const id = lang(ENDINGS[ending] ?? ending);
  return id === undefined || id === 'plaintext' ? undefined : languages.find((one) => one.id === id)?.config;
}
