import { EnvironmentError, type GrepOptions } from '../types/index.ts';
import { resolveInside } from '../containment/resolve.ts';
import { confirmMatches } from './confirm-matches.ts';
import { searchWithRegExp } from './regexp-search.ts';
import { findRipgrep, searchWithRipgrep } from './ripgrep.ts';

/** A search inside the root: `target` is a contained path relative to it, '' for the root itself. */
export type GrepQuery = {
  readonly root: string;
  readonly pattern: string;
  readonly target: string;
  readonly isFolder: boolean;
  readonly options: GrepOptions;
};

/** `file` is relative to the root. */
export type Match = {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly isContext: boolean;
};

export type GrepRequest = {
  readonly root: string;
  readonly pattern: string;
  readonly path: string;
  readonly options: GrepOptions;
  /** Absent: the packaged ripgrep. Null: search without it. */
  readonly ripgrep?: string | null | undefined;
};

/** Matching lines as `path:line:text`, lines of context as `path-line-text`; empty when nothing matches. */
export async function grepFiles(request: GrepRequest): Promise<string> {
  const { relative, stats } = resolveInside(request.root, request.path);
  if (stats === null) throw new EnvironmentError({ code: 'not_found', message: `${request.path} does not exist.` });
  const query = { ...request, target: relative, isFolder: stats.isDirectory() };
  const program = request.ripgrep === undefined ? findRipgrep() : request.ripgrep;
  const maxResults = request.options.maxResults ?? Infinity;
  const found = program === null ? null : await searchWithRipgrep(program, query);
  if (found === null) return format(await searchWithRegExp(query), maxResults);
  // A single file was handed over opened: nobody can have swapped it.
  if (!query.isFolder) return format(found, maxResults);
  return format(await confirmMatches(found, { ...request, maxResults, signal: request.options.signal }), maxResults);
}

function format(matches: ReadonlyArray<Match>, maxResults: number): string {
  const lines: string[] = [];
  let results = 0;
  for (const { file, line, text, isContext } of matches) {
    if (!isContext && ++results > maxResults) break;
    const mark = isContext ? '-' : ':';
    lines.push(`${file}${mark}${line}${mark}${text}`);
  }
  return lines.join('\n');
}
