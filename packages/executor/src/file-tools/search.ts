import { defined } from '@attractor/base';
import type { ExecutionEnvironment } from '@attractor/agent';
import type { GrepOptions } from '@attractor/files';
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
  const found: SearchMatch[] = [];
  const options: GrepOptions = {
    maxResults: maxResults + 1,
    onMatch: ({ file, line, text }) => void found.push({ path: file, line, content: text }),
    ...(args['caseSensitive'] === false ? { caseSensitive: false } : {}),
    ...defined({ includePattern: glob, signal }),
  };
  await env.grep(requiredText(args, 'pattern'), optionalText(args, 'path') ?? '.', options);
  const matches = found.slice(0, maxResults);
  const truncated = found.length > maxResults;
  return { matches: contextLines === 0 ? matches : await withContext(matches, contextLines, env), truncated };
}

/** Reads each file once. A file that can't be read whole has no context lines. */
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
