import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type ChildOutcome, EnvironmentError, superviseChild } from '@attractor/system';
import type { GrepOptions, GrepOutput } from '../file-operations.ts';
import { anchorToRead } from '@attractor/confine';

import { namesOfType } from './file-types.ts';
import type { GrepQuery, Match } from './match.ts';
import { cutLine } from './long-line.ts';
import { withOpenFile } from '../read/open-file.ts';

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 8 << 20;

let located: string | null | undefined;

/**
 * The packaged ripgrep, or null if this platform has none. Searched from here, then from the package that contains it, which also works if
 * this code is part of a bundle and the program is deeper.
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
    () => import.meta.resolve('@attractor/files'),
  ];
  for (const place of places) {
    try {
      return createRequire(place()).resolve(name);
    } catch {
      // Not found from there.
    }
  }
  return null;
}

/** Ripgrep's matches in order of path; null if the program could not be started. */
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
  return PARSERS[query.options.output ?? 'content'](outcome.stdout, query);
}

/** It searches exactly the folder or file that was checked: the held folder is its working directory, the opened file its input. */
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
    '--null',
    '--hidden',
    '--no-require-git',
    '--no-ignore-dot',
    '--crlf',
    '--sort=path',
    '--glob=!.git',
    options.caseSensitive === false ? '--ignore-case' : '--case-sensitive',
    ...(options.includePattern === undefined ? [] : [`--glob=${options.includePattern}`]),
    ...(options.multiline === true ? ['--multiline', '--multiline-dotall'] : []),
    ...typeArguments(options.fileType),
    ...OUTPUT_ARGUMENTS[options.output ?? 'content'](options),
    '--',
    pattern,
    isFolder ? '.' : '-',
  ];
}

const OUTPUT_ARGUMENTS: Readonly<Record<GrepOutput, (options: GrepOptions) => ReadonlyArray<string>>> = {
  // One line of each, so that it can be read again and compared.
  files: () => ['--line-number', '--max-count=1', '--max-columns=2000', '--max-columns-preview'],
  count: ({ multiline }) => [multiline === true ? '--count-matches' : '--count'],
  content: (options) =>
    options.onlyMatching === true
      ? ['--line-number', '--only-matching']
      : ['--line-number', '--max-columns=2000', '--max-columns-preview', ...contextArguments(options)],
};

function contextArguments({ contextLines, linesBefore, linesAfter }: GrepOptions): ReadonlyArray<string> {
  const [before, after] = [linesBefore ?? contextLines, linesAfter ?? contextLines];
  return [
    ...(before === undefined ? [] : [`--before-context=${before}`]),
    ...(after === undefined ? [] : [`--after-context=${after}`]),
  ];
}

/** Our own names for types, so that a search without ripgrep means the same. */
function typeArguments(type: string | undefined): ReadonlyArray<string> {
  if (type === undefined) return [];
  const globs = namesOfType(type).map((name) => (name.startsWith('.') ? `*${name}` : name));
  return [...globs.map((glob) => `--type-add=asked:${glob}`), '--type=asked'];
}

type Parse = (stdout: string, query: GrepQuery) => ReadonlyArray<Match>;

const PARSERS: Readonly<Record<GrepOutput, Parse>> = {
  content: (stdout, query) => stdout.split('\n').flatMap((line) => parseLine(line, query)),
  files: (stdout, query) => PARSERS.content(stdout, query),
  count: (stdout, query) =>
    [...stdout.matchAll(/([^\0]+)\0(\d+)\r?\n/g)].map(([, name = '', count]) => ({
      file: fileOf(name, query),
      line: Number(count),
      text: '',
      isContext: false,
    })),
};

/** Ripgrep itself truncates only whole lines, and treats empty ones differently. */
function showsParts({ onlyMatching, output = 'content' }: GrepOptions): boolean {
  return onlyMatching === true && output === 'content';
}

function fileOf(name: string, { isFolder, target }: GrepQuery): string {
  return isFolder ? path.join(target, name) : target;
}

/** `path NUL number ':' text` is a match, with '-' a context line; `--` separates groups. */
function parseLine(line: string, query: GrepQuery): ReadonlyArray<Match> {
  const [name, rest] = line.split('\0', 2);
  const parts = /^(\d+)([:-])(.*)$/s.exec(rest ?? '');
  if (name === undefined || parts === null) return [];
  const file = fileOf(name, query);
  const whole = (parts[3] ?? '').replace(/\r$/, '');
  const text = showsParts(query.options) ? cutLine(whole) : whole;
  if (text === '' && showsParts(query.options)) return [];
  return [{ file, line: Number(parts[1]), text, isContext: parts[2] === '-' }];
}
