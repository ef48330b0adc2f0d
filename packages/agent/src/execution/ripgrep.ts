import { spawn } from 'node:child_process';
import { EnvironmentError } from '../types/index.ts';
import { superviseChild } from './child.ts';
import type { GrepQuery, Match } from './grep.ts';

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 8 << 20;

/** The packaged ripgrep, or null where this platform has none. */
export async function findRipgrep(): Promise<string | null> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    return null;
  }
}

/** Ripgrep's matches in order of path; null when the program could not be started. */
export async function searchWithRipgrep(program: string, query: GrepQuery): Promise<ReadonlyArray<Match> | null> {
  const child = spawn(program, argumentsOf(query), {
    cwd: query.root,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const outcome = await superviseChild(child, {
    timeoutMs: TIMEOUT_MS,
    signal: query.options.signal,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  if (outcome.spawnError !== undefined) return null;
  query.options.signal?.throwIfAborted();
  if (outcome.timedOut)
    throw new EnvironmentError({
      code: 'failed',
      message: 'The search took too long: narrow the path or the pattern.',
    });
  if (outcome.exitCode > 1 && outcome.stdout === '') {
    throw new EnvironmentError({ code: 'invalid_pattern', message: `The search failed: ${outcome.stderr.trim()}` });
  }
  return outcome.stdout.split('\n').flatMap(parseLine);
}

function argumentsOf({ pattern, target, options }: GrepQuery): ReadonlyArray<string> {
  return [
    '--no-config',
    '--color=never',
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--null',
    '--hidden',
    '--sort=path',
    '--max-columns=2000',
    '--max-columns-preview',
    '--glob=!.git',
    options.caseSensitive === false ? '--ignore-case' : '--case-sensitive',
    ...(options.includePattern === undefined ? [] : [`--glob=${options.includePattern}`]),
    ...(options.contextLines === undefined ? [] : [`--context=${options.contextLines}`]),
    '--',
    pattern,
    target,
  ];
}

/** `path NUL number ':' text` is a match, with '-' a line of context; `--` separates groups. */
function parseLine(line: string): ReadonlyArray<Match> {
  const [file, rest] = line.split('\0', 2);
  const parts = /^(\d+)([:-])(.*)$/s.exec(rest ?? '');
  if (file === undefined || parts === null) return [];
  return [
    { file: file.replace(/^\.\//, ''), line: Number(parts[1]), text: parts[3] ?? '', isContext: parts[2] === '-' },
  ];
}
