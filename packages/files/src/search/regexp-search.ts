import vm from 'node:vm';
import { messageOf } from '@attractor/base';
import { EnvironmentError } from '@attractor/system';
import type { GrepOptions } from '../file-operations.ts';
import type { GrepQuery, Match } from './match.ts';
import { cutLine } from './long-line.ts';
import { readWholeBytes } from '../read/read-raw.ts';
import { walkFiles } from './walk-files.ts';

const FILE_TIMEOUT_MS = 2_000;

/** The same search without ripgrep: our own regular expressions over the same files, slower. */
export async function searchWithRegExp(
  query: GrepQuery,
  isMeant: (file: string) => boolean,
): Promise<ReadonlyArray<Match>> {
  const expression = compile(query);
  const wanted = query.options.maxResults ?? Infinity;
  const found: Match[] = [];
  let results = 0;
  for await (const file of filesOf(query)) {
    if (results >= wanted) break;
    query.options.signal?.throwIfAborted();
    const text = isMeant(file) ? await textOf(query.root, file) : null;
    if (text === null) continue;
    const matches = matchesIn(file, text, { expression, options: query.options });
    results += matches.filter((match) => !match.isContext).length;
    found.push(...matches);
  }
  return found;
}

/** The same search in one text. */
export function searchText(
  { file, text }: { readonly file: string; readonly text: string },
  query: Pick<GrepQuery, 'pattern' | 'options'>,
): ReadonlyArray<Match> {
  return matchesIn(file, text, { expression: compile(query), options: query.options });
}

function compile({ pattern, options }: Pick<GrepQuery, 'pattern' | 'options'>): RegExp {
  const flags = `g${options.caseSensitive === false ? 'i' : ''}${options.multiline === true ? 'ms' : ''}`;
  try {
    return new RegExp(pattern, `${flags}u`);
  } catch {
    return compileLoosely(pattern, flags);
  }
}

/** Without the flag `u` more escapes are allowed, as in ripgrep. */
function compileLoosely(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    const why = messageOf(error);
    throw new EnvironmentError({ code: 'invalid_pattern', message: `The search failed: ${why}` });
  }
}

/** Null for what is not text, disappeared or is too large. */
async function textOf(root: string, file: string): Promise<string | null> {
  const bytes = await readWholeBytes(root, file).catch(() => null);
  if (bytes === null || bytes.includes(0)) return null;
  return new TextDecoder().decode(bytes);
}

async function* filesOf({ root, target, isFolder, options }: GrepQuery): AsyncGenerator<string, void> {
  if (!isFolder) return yield target;
  yield* walkFiles({ root, folder: target, include: options.includePattern, signal: options.signal });
}

type Search = { readonly expression: RegExp; readonly options: GrepOptions };

function matchesIn(file: string, text: string, { expression, options }: Search): ReadonlyArray<Match> {
  const plain = text.replaceAll('\r\n', '\n');
  const lines = plain.replace(/\n$/, '').split('\n');
  const hits = options.multiline === true ? hitsAcross(plain, expression) : hitsIn(lines, expression);
  if (hits.length === 0) return [];
  const whole = { file, text: '', isContext: false };
  if (options.output === 'files') return [{ ...whole, line: 1 }];
  if (options.output === 'count') {
    const counted = options.multiline === true ? hits.length : new Set(hits.map(({ first }) => first)).size;
    return [{ ...whole, line: counted }];
  }
  return options.onlyMatching === true ? partsOf(file, hits) : linesOf(file, lines, { hits, options });
}

/** Each line of each match separately, without empty ones. */
function partsOf(file: string, hits: ReadonlyArray<Hit>): ReadonlyArray<Match> {
  return hits.flatMap(({ first, part }) =>
    part
      .replace(/\n$/, '')
      .split('\n')
      .map((text, index) => ({ file, line: first + index + 1, text: cutLine(text), isContext: false }))
      .filter(({ text }) => text !== ''),
  );
}

type Shown = { readonly hits: ReadonlyArray<Hit>; readonly options: GrepOptions };

function linesOf(file: string, lines: ReadonlyArray<string>, { hits, options }: Shown): ReadonlyArray<Match> {
  const before = options.linesBefore ?? options.contextLines ?? 0;
  const after = options.linesAfter ?? options.contextLines ?? 0;
  const shown = new Set(hits.flatMap(({ first, last }) => span(first - before, last + after)));
  const isHit = new Set(hits.flatMap(({ first, last }) => span(first, last)));
  return [...shown]
    .toSorted((a, b) => a - b)
    .flatMap((index) => {
      const line = lines[index];
      return line === undefined ? [] : [{ file, line: index + 1, text: cutLine(line), isContext: !isHit.has(index) }];
    });
}

/** The lines that a match covers, counted from 0, and its text. */
type Hit = { readonly first: number; readonly last: number; readonly part: string };

const FIND = new vm.Script('lines.map((line) => [...line.matchAll(expression)].map((match) => match[0]))');

function hitsIn(lines: ReadonlyArray<string>, expression: RegExp): ReadonlyArray<Hit> {
  const found = inTime(FIND, { lines, expression });
  const rows: ReadonlyArray<unknown> = Array.isArray(found) ? found : [];
  return rows.flatMap((parts, index) =>
    Array.isArray(parts) ? parts.map((part) => ({ first: index, last: index, part: String(part) })) : [],
  );
}

const FIND_ACROSS = new vm.Script('[...text.matchAll(expression)].map((match) => [match.index, match[0]])');

function hitsAcross(text: string, expression: RegExp): ReadonlyArray<Hit> {
  const found = inTime(FIND_ACROSS, { text, expression });
  const rows: ReadonlyArray<unknown> = Array.isArray(found) ? found : [];
  const lineAt = lineCounter(text);
  return rows.flatMap((row) => {
    if (!Array.isArray(row)) return [];
    const [start, part] = [Number(row[0]), String(row[1])];
    return [{ first: lineAt(start), last: lineAt(Math.max(start, start + part.length - 1)), part }];
  });
}

/**
 * Line numbers of growing positions: one pass over the text, at most one step back for matches that begin on the line where the last one
 * ended.
 */
function lineCounter(text: string): (position: number) => number {
  let [line, from] = [0, 0];
  return (position) => {
    for (let next = text.indexOf('\n', from); next >= 0 && next < position; next = text.indexOf('\n', from)) {
      line++;
      from = next + 1;
    }
    return line;
  };
}

/** A pattern can take forever on a text; only a separate run can be stopped. */
function inTime(script: vm.Script, values: object): unknown {
  try {
    return script.runInContext(vm.createContext(values), { timeout: FILE_TIMEOUT_MS });
  } catch {
    throw new EnvironmentError({ code: 'failed', message: 'The search took too long: use a simpler pattern.' });
  }
}

function span(from: number, to: number): ReadonlyArray<number> {
  return Array.from({ length: to - from + 1 }, (_, step) => from + step);
}
