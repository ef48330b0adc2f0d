import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { hostVariables, superviseChild, type Variables } from '@attractor/system';

import { checkoutsAround, findGit } from './git-path.ts';
import { FIXED_CONFIG, gitVariables, neutralised, remoteProgram } from './hardening.ts';
import { type GitSubcommand, subcommandOf } from './subcommand.ts';

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

/**
 * Runs git; this product starts it nowhere else. The arguments are a vector, never a string for a shell; the program is found outside
 * `cwd`; nothing that the repository configures is executed. Never rejects.
 */
export async function runGit(args: ReadonlyArray<string>, options: GitOptions): Promise<GitResult> {
  const host = options.host ?? hostVariables();
  const outside = [options.cwd, ...(options.outside ?? [])].flatMap(checkoutsAround);
  const git = findGit(host['PATH'] ?? '', outside);
  if (git === null) return failed('not_installed', 'git was not found: install git and put it on PATH');
  const command = subcommandOf(args);
  const { stdin: _stdin, ...quiet } = options;
  const found = command.isPlumbing ? { keys: [] } : await configuredKeys(command, { ...quiet, git, host, outside });
  if ('exitCode' in found) return found;
  const program = command.talks ? remoteProgram(found.keys) : null;
  if (program !== null)
    return failed('not_started', `${program} names a program: remove it from the repository's configuration first`);
  return execute(withSafeFlags(args, command), {
    ...options,
    git,
    host,
    outside,
    keys: found.keys,
    talks: command.talks,
  });
}

type Place = GitOptions & {
  readonly git: string;
  readonly host: Variables;
  readonly outside: ReadonlyArray<string>;
};
type Execution = Place & { readonly keys: ReadonlyArray<string>; readonly talks: boolean };
type Keys = { readonly keys: ReadonlyArray<string> };

const MAX_SUBMODULES = 200;
const MAX_INDEX_BYTES = 512 << 20;

/** The names of all configuration keys that affect a command, including those of submodules it may enter. Without them it must not run. */
async function configuredKeys(command: GitSubcommand, place: Place): Promise<Keys | GitResult> {
  const keys = new Set<string>();
  const folders = [place.cwd];
  for (const folder of folders) {
    const inner = { ...place, cwd: folder, ...(folder === place.cwd ? {} : { variables: {} }), keys: [], talks: false };
    const listed = await execute(['config', '--list', '--name-only', '-z'], inner);
    if (listed.exitCode !== 0) return listed;
    for (const key of listed.stdout.split('\0')) if (key !== '') keys.add(key);
    if (!command.entersSubmodules) break;
    const files = await execute(['ls-files', '--stage', '-z', '--', ':/'], {
      ...inner,
      maxOutputBytes: MAX_INDEX_BYTES,
    });
    const names = submodules(files.stdout);
    const top = names.length === 0 ? '' : await topOf(inner);
    folders.push(...names.map((name) => path.join(top, name)).filter((submodule) => isNewCheckout(submodule, folders)));
    if (files.truncated || folders.length > MAX_SUBMODULES)
      return failed('not_started', `${place.cwd} has too many files or submodules to look through before git may run`);
  }
  return { keys: [...keys] };
}

async function topOf(place: Execution): Promise<string> {
  return (await execute(['rev-parse', '--show-toplevel'], place)).stdout.replace(/\n$/, '');
}

const SUBMODULE = /^160000 [0-9a-f]+ \d\t(.+)$/s;

function submodules(listed: string): ReadonlyArray<string> {
  if (!listed.includes('160000 ')) return [];
  return listed.split('\0').flatMap((line) => SUBMODULE.exec(line)?.[1] ?? []);
}

/** In a submodule that is not checked out git runs nothing. */
function isNewCheckout(folder: string, known: ReadonlyArray<string>): boolean {
  return !known.includes(folder) && existsSync(path.join(folder, '.git'));
}

async function execute(args: ReadonlyArray<string>, run: Execution): Promise<GitResult> {
  const config = configOf(run);
  const surroundings = { host: run.host, config, outside: run.outside, talks: run.talks };
  const child = spawn(run.git, ['--no-pager', ...args], {
    cwd: run.cwd,
    env: { ...gitVariables(surroundings), ...people(run), ...run.variables },
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

function withSafeFlags(
  args: ReadonlyArray<string>,
  { at, showsDiffs, comparesTree }: GitSubcommand,
): ReadonlyArray<string> {
  const flags = [
    ...(showsDiffs ? ['--no-ext-diff', '--no-textconv'] : []),
    ...(comparesTree ? ['--ignore-submodules=dirty'] : []),
  ];
  return [...args.slice(0, at + 1), ...flags, ...args.slice(at + 1)];
}

function failed(failure: NonNullable<GitResult['failure']>, stderr: string): GitResult {
  return { exitCode: 127, stdout: '', stderr, truncated: false, failure };
}
