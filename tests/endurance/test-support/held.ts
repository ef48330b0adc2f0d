import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

/** What this process and its work hold, by name, so that a failure tells what it is. */
export type Held = {
  readonly descriptors: number;
  readonly children: ReadonlyArray<string>;
  readonly temporary: ReadonlyArray<string>;
  readonly worktrees: ReadonlyArray<string>;
  readonly locks: ReadonlyArray<string>;
  readonly leases: ReadonlyArray<string>;
  readonly runFiles: ReadonlyArray<string>;
  /** Of attempts, and what was fetched for tasks. */
  readonly refs: ReadonlyArray<string>;
  /** A task's own stays for people. */
  readonly branches: number;
};

type Place = { readonly home: string; readonly path: string };

export async function whatIsHeld({ home, path }: Place): Promise<Held> {
  const git = join(path, '.git');
  return {
    descriptors: await settledDescriptors(),
    children: await fewest(() => childrenOf(process.pid)),
    temporary: namesIn(process.env['TMPDIR'] ?? '/tmp'),
    worktrees: [...namesIn(join(path, '.agent-worktrees')), ...namesIn(join(git, 'worktrees'))],
    locks: everyNameIn(git).filter((name) => name.endsWith('.lock') && name !== 'attractor.lock'),
    ...inDatabase(home),
    refs: await refsIn(path, ['refs/attractor/', 'refs/heads/**/*--attempt-*']),
    branches: (await refsIn(path, ['refs/heads/agent/'])).length,
  };
}

/** The fewest of some looks: a connection of a viewer or to the model may be open for a little longer. */
export async function settledDescriptors(): Promise<number> {
  return (await fewest(() => readdirSync('/proc/self/fd'))).length;
}

async function fewest(look: () => ReadonlyArray<string>): Promise<ReadonlyArray<string>> {
  let found = look();
  for (let times = 0; times < 10; times += 1) {
    await sleep(50);
    const now = look();
    if (now.length < found.length) found = now;
  }
  return found;
}

/** All that descend from it, by their command lines. */
function childrenOf(pid: number): ReadonlyArray<string> {
  const tasks = namesIn(`/proc/${pid}/task`);
  const own = tasks.flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return own.flatMap((child) => [lineOf(child), ...childrenOf(Number(child))]);
}

function lineOf(pid: string): string {
  return existsSync(`/proc/${pid}`)
    ? readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim().slice(0, 100)
    : '';
}

function inDatabase(home: string): Pick<Held, 'leases' | 'runFiles'> {
  const database = new DatabaseSync(join(home, 'attractor.db'), { readOnly: true });
  const all = (query: string) =>
    database
      .prepare(query)
      .all()
      .map(({ id }) => String(id));
  const held = {
    leases: all('SELECT id FROM jobs WHERE owner IS NOT NULL OR lease_until IS NOT NULL'),
    runFiles: all('SELECT run_id AS id FROM run_files'),
  };
  database.close();
  return held;
}

async function refsIn(path: string, patterns: ReadonlyArray<string>): Promise<ReadonlyArray<string>> {
  const { stdout } = await promisify(execFile)('git', ['for-each-ref', '--format=%(refname)', ...patterns], {
    cwd: path,
  });
  return stdout.split('\n').filter((ref) => ref !== '' && !OF_PEOPLE.test(ref));
}

const OF_PEOPLE = /^refs\/attractor\/(?:rescue|merged)\//;

function namesIn(folder: string): ReadonlyArray<string> {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function everyNameIn(folder: string): ReadonlyArray<string> {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}
