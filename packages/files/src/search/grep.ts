import { EnvironmentError } from '@attractor/system';
import type { GrepOptions } from '../file-operations.ts';
import { resolveInside } from '@attractor/confine';
import { confirmMatches } from './confirm-matches.ts';
import { ofType } from './file-types.ts';
import { searchWithRegExp } from './regexp-search.ts';
import type { GrepQuery, Match } from './match.ts';
import { findRipgrep, searchWithRipgrep } from './ripgrep.ts';

export type GrepRequest = {
  readonly root: string;
  readonly pattern: string;
  readonly path: string;
  readonly options: GrepOptions;
  /** Absent: the packaged ripgrep. Null: search without it. */
  readonly ripgrep?: string | null | undefined;
};

/** Matching lines as `path:line:text`, context lines as `path-line-text`, or what `output` requests; empty if nothing matches. */
export async function grepFiles(request: GrepRequest): Promise<string> {
  const { relative, stats } = resolveInside(request.root, request.path);
  if (stats === null) throw new EnvironmentError({ code: 'not_found', message: `${request.path} does not exist.` });
  const query = { ...request, target: relative, isFolder: stats.isDirectory() };
  const program = request.ripgrep === undefined ? findRipgrep() : request.ripgrep;
  const isMeant = meantBy(request.options);
  const found = program === null ? null : await searchWithRipgrep(program, query);
  if (program === null || found === null) return formatMatches(await searchWithRegExp(query, isMeant), request.options);
  const meant = found.filter(({ file }) => isMeant(file));
  // A single file was passed already open: nobody can have swapped it.
  return formatMatches(query.isFolder ? await confirmed(program, meant, query) : meant, request.options);
}

/** In ripgrep a glob overrides a type; here both must match. Each file is checked once. */
export function meantBy({ fileType, leaveOut }: GrepOptions): (file: string) => boolean {
  const isOfType = ofType(fileType);
  const known = new Map<string, boolean>();
  return (file) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const isMeant = isOfType(file) && leaveOut?.(file) !== true;
    known.set(file, isMeant);
    return isMeant;
  };
}

/** Counts contain nothing that could be read again: they are accepted for files that really have a matching line. */
async function confirmed(
  program: string,
  found: ReadonlyArray<Match>,
  query: GrepQuery,
): Promise<ReadonlyArray<Match>> {
  const { output, maxResults = Infinity, onlyMatching, signal } = query.options;
  const parts = output === undefined || output === 'content' ? onlyMatching === true : false;
  const confirmation = { root: query.root, maxResults, signal, ...(parts ? { shows: 'parts' as const } : {}) };
  if (output !== 'count') return confirmMatches(found, confirmation);
  const files = await searchWithRipgrep(program, { ...query, options: { ...query.options, output: 'files' } });
  const real = new Set((await confirmMatches(files ?? [], confirmation)).map(({ file }) => file));
  return found.filter(({ file }) => real.has(file));
}

export function formatMatches(matches: ReadonlyArray<Match>, options: GrepOptions): string {
  const lines: string[] = [];
  let results = 0;
  for (const match of matches) {
    if (!match.isContext && ++results > (options.maxResults ?? Infinity)) break;
    if (!match.isContext && (options.output ?? 'content') === 'content') {
      const { file, line, text } = match;
      options.onMatch?.({ file, line, text });
    }
    const line = formatted(match, options);
    if (options.output !== 'files' || lines.at(-1) !== line) lines.push(line);
  }
  return lines.join('\n');
}

function formatted({ file, line, text, isContext }: Match, { output, withoutNumbers }: GrepOptions): string {
  if (output === 'files') return file;
  if (output === 'count') return `${file}:${line}`;
  const mark = isContext ? '-' : ':';
  return withoutNumbers === true ? `${file}${mark}${text}` : `${file}${mark}${line}${mark}${text}`;
}
