import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostVariables } from '@attractor/system';
import { type ConfigEntry, knownConfig, repositoryConfig } from './repository-config.ts';
import { checkoutsAround, findBeside, findGit } from './git-path.ts';
import { remoteProgram } from './hardening.ts';
import { largeFilesProgramKey, linkAmongLargeFiles } from './large-files.ts';
import { listsNoSubmodule } from './no-submodule.ts';
import { type GitStart, failed, type GitOptions, type GitResult, type Place, startGit } from './start-git.ts';
import { type GitSubcommand, subcommandOf } from './subcommand.ts';

/**
 * Runs git; this product starts it nowhere else. The arguments are a vector, never a string for a shell; the program is found outside
 * `cwd`; nothing that the repository configures is executed. Never rejects.
 */
export async function runGit(args: ReadonlyArray<string>, options: GitOptions): Promise<GitResult> {
  const place = placeOf(options);
  if (place === null) return failed('not_installed', 'git was not found: install git and put it on PATH');
  const command = subcommandOf(args);
  const { stdin: _stdin, onOutput: _onOutput, ...quiet } = place;
  const found = command.isPlumbing ? { keys: [] } : await configuredKeys(command, quiet);
  if ('exitCode' in found) return found;
  const large = largeFilesProgramKey(found.keys);
  const program = command.talks ? (remoteProgram(found.keys) ?? (command.name === 'lfs' ? large : null)) : null;
  if (program !== null) return failed('not_started', namesProgram(program));
  const link = command.name === 'lfs' ? linkAmongLargeFiles(place) : null;
  if (link !== null) return failed('not_started', isLink(link));
  const lfs = command.isPlumbing || command.name === 'lfs' || large !== null ? null : findLargeFiles(place);
  const how = { ...place, keys: found.keys, talks: command.talks, ...(lfs === null ? {} : { largeFiles: lfs }) };
  const start = () => startGit(withSafeFlags(args, command), how);
  return command.talks ? besideNewWorktrees(start) : start();
}

/** Why files that Git LFS keeps can't be read and written in a folder; null if they can. */
export async function largeFilesProblem(options: GitOptions): Promise<string | null> {
  const place = placeOf(options);
  const link = linkAmongLargeFiles(options);
  if (link !== null) return isLink(link);
  if (place === null || findLargeFiles(place) === null)
    return 'git-lfs was not found: install it (on Debian "apt-get install git-lfs") and put it on PATH';
  const keys = (await readRepositoryConfig(options)).map(({ key }) => key);
  const named = largeFilesProgramKey(keys);
  return named === null ? null : namesProgram(named);
}

function isLink(link: string): string {
  return `${link} is a link: remove it, nothing is written through one`;
}

function namesProgram(key: string): string {
  return `${key} names a program: remove it from the repository's configuration first`;
}

function findLargeFiles(place: Place): string | null {
  return linkAmongLargeFiles(place) === null ? findBeside('git-lfs', place.host['PATH'] ?? '', place.outside) : null;
}

/** The entry of a worktree that another process is just making points at no commit for a moment, and a fetch then refuses all that it got. */
const HALF_MADE = /^fatal: bad object worktrees\/[^\n]+\/HEAD$/m;
const PAUSE_MS = 100;
const MOST_TRIES = 5;

async function besideNewWorktrees(start: () => Promise<GitResult>): Promise<GitResult> {
  for (let tries = 1; ; tries += 1) {
    const result = await start();
    if (result.exitCode === 0 || tries === MOST_TRIES || !HALF_MADE.test(result.stderr)) return result;
    await sleep(tries * PAUSE_MS);
  }
}

/** What the repository in a folder configures, in git's order; empty where git finds none. */
export async function readRepositoryConfig(options: GitOptions): Promise<ReadonlyArray<ConfigEntry>> {
  const entries = knownConfig(options) ?? (await listConfig(options));
  return entries.filter(({ scope }) => scope !== 'command');
}

async function listConfig(options: GitOptions): Promise<ReadonlyArray<ConfigEntry>> {
  const place = placeOf(options);
  const found = place === null ? null : await repositoryConfig({ ...place, keys: [], talks: false });
  return found === null || 'exitCode' in found ? [] : found.entries;
}

function placeOf(options: GitOptions): Place | null {
  const host = options.host ?? hostVariables();
  const outside = [options.cwd, ...(options.outside ?? [])].flatMap(checkoutsAround);
  const git = findGit(host['PATH'] ?? '', outside);
  return git === null ? null : { ...options, git, host, outside };
}

type Keys = { readonly keys: ReadonlyArray<string> };

const MAX_SUBMODULES = 200;
const MAX_INDEX_BYTES = 512 << 20;

/** The names of all configuration keys that affect a command, including those of submodules it may enter. Without them it must not run. */
async function configuredKeys(command: GitSubcommand, place: Place): Promise<Keys | GitResult> {
  const keys = new Set<string>();
  const folders = [place.cwd];
  for (const folder of folders) {
    const inner = { ...place, cwd: folder, ...(folder === place.cwd ? {} : { variables: {} }), keys: [], talks: false };
    const found = await repositoryConfig(inner);
    if ('exitCode' in found) return found;
    for (const { key } of found.entries) keys.add(key);
    if (!command.entersSubmodules) break;
    if (listsNoSubmodule(inner)) continue;
    const files = await startGit(['ls-files', '--stage', '-z', '--', ':/'], {
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

async function topOf(place: GitStart): Promise<string> {
  return (await startGit(['rev-parse', '--show-toplevel'], place)).stdout.replace(/\n$/, '');
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

function withSafeFlags(
  args: ReadonlyArray<string>,
  { at, showsDiffs, comparesTree }: GitSubcommand,
): ReadonlyArray<string> {
  const flags = [
    ...(showsDiffs ? ['--no-ext-diff', '--no-textconv'] : []),
    // Without it, settings decide whether a submodule that points elsewhere is shown at all.
    ...(showsDiffs || comparesTree ? ['--ignore-submodules=dirty'] : []),
  ];
  return [...args.slice(0, at + 1), ...flags, ...args.slice(at + 1)];
}
