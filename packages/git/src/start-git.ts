import { existsSync } from 'node:fs';
import { startProgram, superviseChild, type Variables } from '@attractor/system';
import { FIXED_CONFIG, gitVariables, neutralised } from './hardening.ts';
import { largeFilesFilter } from './large-files.ts';

export type GitPerson = {
  readonly name: string;
  readonly email: string;
  /** ISO time; absent: now. */ readonly date?: string;
};

export type GitOptions = {
  readonly cwd: string;
  readonly signal?: AbortSignal;
  /** Default 60 s. */
  readonly timeoutMs?: number;
  /** The limit for stdout and for stderr each; beyond it `truncated` is set. Default 16 MiB. */
  readonly maxOutputBytes?: number;
  readonly stdin?: string;
  /** What it says while it runs, for viewers: at most twenty times a second. */
  readonly onOutput?: (text: string) => void;
  /** How stdout is read: `latin1` has a character for each byte. Default `utf8`. */
  readonly encoding?: 'utf8' | 'latin1';
  /** Commits need both; `committer` defaults to `author`. */
  readonly author?: GitPerson;
  readonly committer?: GitPerson;
  /** Configuration that overrides ours, for example a person's own credential helper. */
  readonly config?: Readonly<Record<string, string>>;
  /** A repository with another owner that a person trusted. */
  readonly safeDirectory?: string;
  /** Further repositories that must not supply their own git; those around `cwd` never do. */
  readonly outside?: ReadonlyArray<string>;
  /** More variables for this call, such as GIT_INDEX_FILE. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Absent: the environment of this process. */
  readonly host?: Variables;
};

/**
 * Git's answer. `failure` says why there is no real exit code (then `exitCode` is not 0 and `stderr` says what to do); a git that ran and
 * refused has its own exit code and no `failure`.
 */
export type GitResult = {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly failure?: 'timeout' | 'aborted' | 'not_installed' | 'not_started';
};

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 16 << 20;

export type Place = GitOptions & {
  readonly git: string;
  readonly host: Variables;
  readonly outside: ReadonlyArray<string>;
};
export type GitStart = Place & {
  readonly keys: ReadonlyArray<string>;
  readonly talks: boolean;
  /** The program of Git LFS. Absent: what it keeps stays as it is. */
  readonly largeFiles?: string;
};

/** One process of git, with all that hardening decided. */
export async function startGit(args: ReadonlyArray<string>, run: GitStart): Promise<GitResult> {
  const config = configOf(run);
  const surroundings = { host: run.host, config, outside: run.outside, talks: run.talks };
  const child = startProgram({
    file: run.git,
    args: ['--no-pager', ...args],
    cwd: run.cwd,
    env: { ...gitVariables(surroundings), ...people(run), ...run.variables },
  });
  const outcome = await superviseChild(child, {
    timeoutMs: run.timeoutMs ?? TIMEOUT_MS,
    signal: run.signal,
    maxOutputBytes: run.maxOutputBytes ?? MAX_OUTPUT_BYTES,
    stdin: run.stdin,
    onOutput: run.onOutput,
    encoding: run.encoding,
  });
  if (outcome.spawnError !== undefined) return failed('not_started', whyNotStarted(run.cwd, outcome.spawnError));
  if (outcome.aborted) return failed('aborted', 'git was stopped on request');
  if (outcome.timedOut)
    return failed('timeout', `git ${args[0] ?? ''} took longer than ${run.timeoutMs ?? TIMEOUT_MS} ms and was stopped`);
  return {
    exitCode: outcome.exitCode,
    stdout: outcome.stdout,
    stderr: outcome.stderr,
    truncated: outcome.omittedBytes > 0,
  };
}

/** Of a missing folder the system says that there is no such program. */
function whyNotStarted(cwd: string, { message }: Error): string {
  return existsSync(cwd) ? `git could not be started in ${cwd}: ${message}` : `the folder ${cwd} is gone`;
}

function configOf(run: GitStart): ReadonlyArray<readonly [string, string]> {
  const safe = run.safeDirectory === undefined ? [] : [['safe.directory', run.safeDirectory] as const];
  const large = run.largeFiles === undefined ? [] : largeFilesFilter(run.largeFiles);
  return [...FIXED_CONFIG, ...neutralised(run.keys), ...large, ...safe, ...Object.entries(run.config ?? {})];
}

function people(run: GitOptions): Record<string, string> {
  return { ...person('AUTHOR', run.author), ...person('COMMITTER', run.committer ?? run.author) };
}

function person(role: 'AUTHOR' | 'COMMITTER', who: GitPerson | undefined): Record<string, string> {
  if (who === undefined) return {};
  const date = who.date === undefined ? {} : { [`GIT_${role}_DATE`]: who.date };
  return { [`GIT_${role}_NAME`]: who.name, [`GIT_${role}_EMAIL`]: who.email, ...date };
}

export function failed(failure: NonNullable<GitResult['failure']>, stderr: string): GitResult {
  return { exitCode: 127, stdout: '', stderr, truncated: false, failure };
}
