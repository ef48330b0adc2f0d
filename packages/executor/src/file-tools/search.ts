import type { ExecutionEnvironment, GrepOptions } from '@attractor/agent';
import { optionalCount, optionalText, requiredText, type Arguments } from './arguments.ts';

const DEFAULT_RESULTS = 100;

export type SearchMatch = {
  readonly path: string;
  readonly line: number;
  readonly content: string;
  readonly before?: ReadonlyArray<string>;
  readonly after?: ReadonlyArray<string>;
};

export type FileSearch = { readonly matches: ReadonlyArray<SearchMatch>; readonly truncated: boolean };

export async function searchFiles(
  args: Arguments,
  env: ExecutionEnvironment,
  signal: AbortSignal | undefined,
): Promise<FileSearch> {
  const maxResults = optionalCount(args, 'maxResults', 1) ?? DEFAULT_RESULTS;
  const contextLines = optionalCount(args, 'contextLines', 0) ?? 0;
  const glob = optionalText(args, 'glob');
  const options: GrepOptions = {
    maxResults: maxResults + 1,
    ...(args['caseSensitive'] === false ? { caseSensitive: false } : {}),
    ...(glob === undefined ? {} : { includePattern: glob }),
    ...(signal === undefined ? {} : { signal }),
  };
  const found = await env.grep(requiredText(args, 'pattern'), optionalText(args, 'path') ?? '.', options);
  const lines = found === '' ? [] : found.split('\n');
  const matches: SearchMatch[] = [];
  for (const line of lines.slice(0, maxResults)) matches.push(...(await matchOf(line, env)));
  const truncated = lines.length > maxResults;
  return { matches: contextLines === 0 ? matches : await withContext(matches, contextLines, env), truncated };
}

/** `path:line:text`. Where the name of the file itself looks like that, the name that exists is meant. */
async function matchOf(line: string, env: ExecutionEnvironment): Promise<ReadonlyArray<SearchMatch>> {
  const places = [...line.matchAll(/:(\d+):/g)];
  const split = ({ index, 0: mark, 1: number }: RegExpMatchArray): SearchMatch => {
    const at = index ?? 0;
    return { path: line.slice(0, at), line: Number(number), content: line.slice(at + mark.length) };
  };
  const [first] = places;
  if (first === undefined) return [];
  if (places.length > 1)
    for (const place of places) if (await env.fileExists(line.slice(0, place.index))) return [split(place)];
  return [split(first)];
}

/** Taken from the files themselves, each read once; a file that can't be read whole shows no context. */
async function withContext(
  matches: ReadonlyArray<SearchMatch>,
  count: number,
  env: ExecutionEnvironment,
): Promise<ReadonlyArray<SearchMatch>> {
  const texts = new Map<string, ReadonlyArray<string>>();
  for (const { path } of matches) if (!texts.has(path)) texts.set(path, await linesOf(path, env));
  return matches.map((match) => {
    const lines = texts.get(match.path) ?? [];
    const at = match.line - 1;
    return {
      ...match,
      before: lines.slice(Math.max(0, at - count), at),
      after: lines.slice(at + 1, at + 1 + count),
    };
  });
}

async function linesOf(path: string, env: ExecutionEnvironment): Promise<ReadonlyArray<string>> {
  const text = await env.readText(path).catch(() => '');
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}
