import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { differenceOf } from './difference.ts';
import type { TrustedBytes } from './read-executable-files.ts';
import { identifyRepository } from './repository-identity.ts';
import { readTexts, readTrust } from './trust-store.ts';

const MOST_LINES = 24;
const MAX_CHARACTERS = 64 << 10;

type Place = TrustedBytes & { readonly home?: string | undefined };

/** How files differ from what was trusted, in a few lines: their names, and what was taken away (`-`) and added (`+`). */
export function shownChanges(names: ReadonlyArray<string>, place: Place): ReadonlyArray<string> {
  const lines = linesOf(names, place);
  return lines.length <= MOST_LINES
    ? lines
    : [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} lines more`];
}

/** The same with nothing left out; null if one of them is too long to be read by a person, or no text. */
export function wholeChanges(names: ReadonlyArray<string>, place: Place): string | null {
  const isReadable = names.every((name) => {
    const text = textOf(path.join(place.root, name));
    return text !== null && text.length <= MAX_CHARACTERS && !text.includes('\0');
  });
  return isReadable ? linesOf(names, place).join('\n') : null;
}

function linesOf(names: ReadonlyArray<string>, { root, trusted, home }: Place): ReadonlyArray<string> {
  if (home === undefined) return [];
  const before = new Map(names.flatMap((name) => entry(name, trustedText(name, { root, trusted, home }))));
  const after = new Map(names.flatMap((name) => entry(name, textOf(path.join(root, name)))));
  return differenceOf(before, after).flatMap((one) => [
    `${one.path} (${one.change})`,
    ...one.lines.map((line) => `  ${line}`),
  ]);
}

function entry(name: string, text: string | null): ReadonlyArray<readonly [string, string]> {
  return text === null || text.length > MAX_CHARACTERS ? [] : [[name, text]];
}

/** Of the states that were trusted, the one with these bytes. */
function trustedText(name: string, { root, trusted, home }: TrustedBytes & { readonly home: string }): string | null {
  const wanted = trusted.get(name);
  const stored = readTrust(home);
  const states = stored.ok ? (stored.records[identifyRepository(root).key] ?? []) : [];
  for (const state of states.toReversed()) {
    const text = readTexts(home, state.hash).get(name);
    if (text !== undefined && hash('sha256', text) === wanted) return text;
  }
  return null;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
