import { spawn } from 'node:child_process';
import { superviseChild } from '../execution/child.ts';
import { hostVariables, type Variables } from '../execution/environment-variables.ts';
import { findGit } from './git-path.ts';
import { FIXED_CONFIG, gitVariables, neutralised } from './hardening.ts';

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
  /** Of stdout and of stderr; beyond it `truncated` is set. Default 16 MiB. */
  readonly maxOutputBytes?: number;
  readonly stdin?: string;
  /** Commits need both; `committer` defaults to `author`. */
  readonly author?: GitPerson;
  readonly committer?: GitPerson;
  /** Configuration that wins over ours, for example a person's own credential helper. */
  readonly config?: Readonly<Record<string, string>>;
  /** A repository of another owner that a person trusted. */
  readonly safeDirectory?: string;
  /** More variables for this call, such as GIT_INDEX_FILE. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Absent: the environment of this process. */
  readonly host?: Variables;
};

/**
 * What git answered. `failure` says why there is no true exit code (then `exitCode` is not 0 and `stderr` says what to do);
 * a git that ran and refused has its own exit code and no `failure`.
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

/** These neither read a working tree through filters nor merge, so the repository's own program keys can't matter. */
const PLUMBING = new Set([
  'branch',
  'cat-file',
  'check-ref-format',
  'commit-tree',
  'config',
  'for-each-ref',
  'init',
  'ls-files',
  'ls-tree',
  'merge-base',
  'read-tree',
  'rev-list',
  'rev-parse',
  'show-ref',
  'symbolic-ref',
  'update-ref',
  'version',
  'write-tree',
]);

const SHOWS_DIFFS = new Set(['diff', 'diff-tree', 'diff-index', 'diff-files', 'log', 'show']);

/**
 * Runs git: the one way this product does. The arguments are a vector, never a string for a shell; the program is found outside `cwd`;
 * nothing that the repository configures is executed. Never rejects.
 */
export async function runGit(args: ReadonlyArray<string>, options: GitOptions): Promise<GitResult> {
  const host = options.host ?? hostVariables();
  const git = findGit(host['PATH'] ?? '', options.cwd);
  if (git === null) return failed('not_installed', 'git was not found: install git and put it on PATH');
  const keys = PLUMBING.has(args[0] ?? '') ? [] : await configuredKeys(git, host, options);
  return execute(git, withSafeDiff(args), { ...options, host, keys });
}

type Execution = GitOptions & { readonly host: Variables; readonly keys: ReadonlyArray<string> };

async function configuredKeys(git: string, host: Variables, options: GitOptions): Promise<ReadonlyArray<string>> {
  const { stdin: _stdin, ...rest } = options;
  const listed = await execute(git, ['config', '--list', '--name-only', '-z'], { ...rest, host, keys: [] });
  return listed.exitCode === 0 ? listed.stdout.split('\0').filter(Boolean) : [];
}

async function execute(git: string, args: ReadonlyArray<string>, run: Execution): Promise<GitResult> {
  const child = spawn(git, ['--no-pager', ...args], {
    cwd: run.cwd,
    env: { ...gitVariables(run.host, configOf(run)), ...people(run), ...run.variables },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const outcome = await superviseChild(child, {
    timeoutMs: run.timeoutMs ?? TIMEOUT_MS,
    signal: run.signal,
    maxOutputBytes: run.maxOutputBytes ?? MAX_OUTPUT_BYTES,
    stdin: run.stdin,
  });
  if (outcome.spawnError !== undefined)
    return failed('not_started', `git could not be started in ${run.cwd}: ${outcome.spawnError.message}`);
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

function configOf(run: Execution): ReadonlyArray<readonly [string, string]> {
  const safe = run.safeDirectory === undefined ? [] : [['safe.directory', run.safeDirectory] as const];
  return [...FIXED_CONFIG, ...neutralised(run.keys), ...safe, ...Object.entries(run.config ?? {})];
}

function people(run: GitOptions): Record<string, string> {
  return { ...person('AUTHOR', run.author), ...person('COMMITTER', run.committer ?? run.author) };
}

function person(role: 'AUTHOR' | 'COMMITTER', who: GitPerson | undefined): Record<string, string> {
  if (who === undefined) return {};
  const date = who.date === undefined ? {} : { [`GIT_${role}_DATE`]: who.date };
  return { [`GIT_${role}_NAME`]: who.name, [`GIT_${role}_EMAIL`]: who.email, ...date };
}

function withSafeDiff(args: ReadonlyArray<string>): ReadonlyArray<string> {
  const [command = '', ...rest] = args;
  return SHOWS_DIFFS.has(command) ? [command, '--no-ext-diff', '--no-textconv', ...rest] : args;
}

function failed(failure: NonNullable<GitResult['failure']>, stderr: string): GitResult {
  return { exitCode: 127, stdout: '', stderr, truncated: false, failure };
}
