import { EnvironmentError } from '../types/index.ts';
import { globFiles } from './glob.ts';
import type { GrepQuery, Match } from './grep.ts';
import { readWholeText } from './read-raw.ts';

const MAX_LINE = 10_000;

/** The same search where ripgrep is missing: our own regular expressions over the same files, slower. */
export async function searchWithRegExp(query: GrepQuery): Promise<ReadonlyArray<Match>> {
  const expression = compile(query);
  const found: Match[] = [];
  for (const file of await filesOf(query)) {
    query.options.signal?.throwIfAborted();
    const text = await readWholeText(query.root, file).catch(() => null);
    if (text !== null) found.push(...matchesIn(file, text, { expression, around: query.options.contextLines ?? 0 }));
  }
  return found;
}

function compile({ pattern, options }: GrepQuery): RegExp {
  try {
    return new RegExp(pattern, options.caseSensitive === false ? 'i' : '');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EnvironmentError({ code: 'invalid_pattern', message: `The search failed: ${why}` });
  }
}

async function filesOf({ root, target, isFolder, options }: GrepQuery): Promise<ReadonlyArray<string>> {
  if (!isFolder) return [target];
  const include = options.includePattern ?? '*';
  const pattern = include.includes('/') ? include : `**/${include}`;
  return globFiles(root, { pattern, path: target, signal: options.signal });
}

type Search = { readonly expression: RegExp; readonly around: number };

function matchesIn(file: string, text: string, { expression, around }: Search): ReadonlyArray<Match> {
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
  const hits = lines.flatMap((line, index) => (line.length <= MAX_LINE && expression.test(line) ? [index] : []));
  const shown = new Set(hits.flatMap((hit) => span(hit - around, hit + around)));
  const isHit = new Set(hits);
  return [...shown]
    .toSorted((a, b) => a - b)
    .flatMap((index) => {
      const line = lines[index];
      return line === undefined ? [] : [{ file, line: index + 1, text: line, isContext: !isHit.has(index) }];
    });
}

function span(from: number, to: number): ReadonlyArray<number> {
  return Array.from({ length: to - from + 1 }, (_, step) => from + step);
}
