import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EnvironmentError } from '../types/index.ts';
import { anchorToRead } from '../containment/anchor.ts';
import { superviseChild, type ChildOutcome } from './child.ts';
import type { GrepQuery, Match } from './grep.ts';
import { withOpenFile } from './open-file.ts';

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 8 << 20;

let located: string | null | undefined;

/**
 * The packaged ripgrep, or null where this platform has none. Looked for from here, then from the package that brings it,
 * which also finds it when this code runs as part of a bundle and the program lies deeper.
 */
export function findRipgrep(): string | null {
  if (located === undefined || (located !== null && !existsSync(located))) located = locate();
  return located;
}

function locate(): string | null {
  const program = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${program}`;
  const places = [
    () => import.meta.url,
    () => import.meta.resolve('@vscode/ripgrep'),
    () => import.meta.resolve('@attractor/agent'),
  ];
  for (const place of places) {
    try {
      return createRequire(place()).resolve(name);
    } catch {
      // Not to be found from there.
    }
  }
  return null;
}

/** Ripgrep's matches in order of path; null when the program could not be started. */
export async function searchWithRipgrep(program: string, query: GrepQuery): Promise<ReadonlyArray<Match> | null> {
  const outcome = await search(program, query);
  if (outcome === null || outcome.spawnError !== undefined) return null;
  query.options.signal?.throwIfAborted();
  if (outcome.timedOut)
    throw new EnvironmentError({
      code: 'failed',
      message: 'The search took too long: narrow the path or the pattern.',
    });
  if (outcome.exitCode > 1 && outcome.stdout === '') {
    throw new EnvironmentError({ code: 'invalid_pattern', message: `The search failed: ${outcome.stderr.trim()}` });
  }
  return outcome.stdout.split('\n').flatMap((line) => parseLine(line, query));
}

/** It searches the very folder or file that was checked: the held folder is its own, the opened file its input. */
async function search(program: string, query: GrepQuery): Promise<ChildOutcome | null> {
  const launch = (cwd: string, input: 'ignore' | number): Promise<ChildOutcome> =>
    superviseChild(
      spawn(program, argumentsOf(query), { cwd, env: {}, stdio: [input, 'pipe', 'pipe'], detached: true }),
      { timeoutMs: TIMEOUT_MS, signal: query.options.signal, maxOutputBytes: MAX_OUTPUT_BYTES },
    );
  try {
    if (!query.isFolder) {
      return await withOpenFile(query.root, query.target, ({ fd }) => launch(query.root, fd));
    }
    const folder = anchorToRead(query.root, path.join(query.root, query.target));
    try {
      return await launch(folder.at, 'ignore');
    } finally {
      folder.close();
    }
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    return null;
  }
}

function argumentsOf({ pattern, isFolder, options }: GrepQuery): ReadonlyArray<string> {
  return [
    '--no-config',
    '--color=never',
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--null',
    '--hidden',
    '--no-require-git',
    '--no-ignore-dot',
    '--crlf',
    '--sort=path',
    '--max-columns=2000',
    '--max-columns-preview',
    '--glob=!.git',
    options.caseSensitive === false ? '--ignore-case' : '--case-sensitive',
    ...(options.includePattern === undefined ? [] : [`--glob=${options.includePattern}`]),
    ...(options.contextLines === undefined ? [] : [`--context=${options.contextLines}`]),
    '--',
    pattern,
    isFolder ? '.' : '-',
  ];
}

/** `path NUL number ':' text` is a match, with '-' a line of context; `--` separates groups. */
function parseLine(line: string, query: GrepQuery): ReadonlyArray<Match> {
  const [name, rest] = line.split('\0', 2);
  const parts = /^(\d+)([:-])(.*)$/s.exec(rest ?? '');
  if (name === undefined || parts === null) return [];
  const file = query.isFolder ? path.join(query.target, name) : query.target;
  const text = (parts[3] ?? '').replace(/\r$/, '');
  return [{ file, line: Number(parts[1]), text, isContext: parts[2] === '-' }];
}
