import vm from 'node:vm';
import { EnvironmentError } from '../types/index.ts';
import type { GrepQuery, Match } from './grep.ts';
import { readWholeBytes } from './read-raw.ts';
import { walkFiles } from './walk-files.ts';

/** Longer lines are searched and shown up to here, as ripgrep shows them. */
const MAX_LINE = 2_000;
const CUT = ' [... omitted end of long line]';
const FILE_TIMEOUT_MS = 2_000;

/** The same search where ripgrep is missing: our own regular expressions over the same files, slower. */
export async function searchWithRegExp(query: GrepQuery): Promise<ReadonlyArray<Match>> {
  const expression = compile(query);
  const around = query.options.contextLines ?? 0;
  const wanted = query.options.maxResults ?? Infinity;
  const found: Match[] = [];
  let results = 0;
  for await (const file of filesOf(query)) {
    if (results >= wanted) break;
    query.options.signal?.throwIfAborted();
    const text = await textOf(query.root, file);
    if (text === null) continue;
    const matches = matchesIn(file, text, { expression, around });
    results += matches.filter((match) => !match.isContext).length;
    found.push(...matches);
  }
  return found;
}

function compile({ pattern, options }: GrepQuery): RegExp {
  const flags = options.caseSensitive === false ? 'i' : '';
  try {
    return new RegExp(pattern, `${flags}u`);
  } catch {
    return compileLoosely(pattern, flags);
  }
}

/** Without the flag `u` more escapes are allowed, as ripgrep allows them. */
function compileLoosely(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EnvironmentError({ code: 'invalid_pattern', message: `The search failed: ${why}` });
  }
}

/** Null for what is no text, went away or is too large. */
async function textOf(root: string, file: string): Promise<string | null> {
  const bytes = await readWholeBytes(root, file).catch(() => null);
  if (bytes === null || bytes.includes(0)) return null;
  return new TextDecoder().decode(bytes);
}

async function* filesOf({ root, target, isFolder, options }: GrepQuery): AsyncGenerator<string, void> {
  if (!isFolder) return yield target;
  yield* walkFiles({ root, folder: target, include: options.includePattern, signal: options.signal });
}

type Search = { readonly expression: RegExp; readonly around: number };

function matchesIn(file: string, text: string, { expression, around }: Search): ReadonlyArray<Match> {
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
  const hits = hitsIn(lines, expression);
  const shown = new Set(hits.flatMap((hit) => span(hit - around, hit + around)));
  const isHit = new Set(hits);
  return [...shown]
    .toSorted((a, b) => a - b)
    .flatMap((index) => {
      const line = lines[index];
      return line === undefined ? [] : [{ file, line: index + 1, text: cut(line), isContext: !isHit.has(index) }];
    });
}

const FIND = new vm.Script('lines.flatMap((line, index) => expression.test(line) ? [index] : [])');

/** A pattern can take for ever on a line; only a run of its own can be stopped. */
function hitsIn(lines: ReadonlyArray<string>, expression: RegExp): ReadonlyArray<number> {
  const context = vm.createContext({ lines, expression });
  try {
    const hits: unknown = FIND.runInContext(context, { timeout: FILE_TIMEOUT_MS });
    return Array.isArray(hits) ? hits.filter((hit) => typeof hit === 'number') : [];
  } catch {
    throw new EnvironmentError({ code: 'failed', message: 'The search took too long: use a simpler pattern.' });
  }
}

function cut(line: string): string {
  return line.length <= MAX_LINE ? line : line.slice(0, MAX_LINE) + CUT;
}

function span(from: number, to: number): ReadonlyArray<number> {
  return Array.from({ length: to - from + 1 }, (_, step) => from + step);
}
