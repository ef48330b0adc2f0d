import { copyFile, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { done } from '@attractor/base';
import type { GitOptions, GitPerson } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';
import { git, type Repository } from '../git/repository.ts';

/**
 * A run's work as commits that another machine can continue from: `refs/attractor/<run>/<n>` is the current worktree (its parent is the
 * last commit; ignored files stay out), `refs/attractor/<run>/state/<n>` is the agent's own folder. The state is never newer than the work.
 * No index, branch or file of the worktree is touched.
 */
export type CarriedWork = { readonly n: number; readonly work: string; readonly state: string };

export type WorkPlace = {
  readonly repository: Repository;
  readonly runId: string;
  readonly worktree: string;
  readonly statePath: string;
  readonly author: GitPerson;
  /** What was seen before, and its commit, so that it is not made again. For one run, as long as the caller likes. */
  readonly memory?: Map<string, string>;
};

export const workRef = (runId: string, n: number): string => `refs/attractor/${runId}/${n}`;
export const stateRef = (runId: string, n: number): string => `refs/attractor/${runId}/state/${n}`;

/** If an agent keeps changing its folder we do not wait longer. */
const MAX_TRIES = 4;

/**
 * The same state gives the same commits, so unchanged work need not be carried again. State and work are of the same moment if the agent
 * pauses long enough; otherwise the state is the older one, and the agent repeats what it does not remember.
 */
export async function snapshotWork(place: WorkPlace): Promise<Result<Omit<CarriedWork, 'n'>>> {
  const scratch = await mkdtemp(join(tmpdir(), 'attractor-carry-'));
  try {
    for (let attempt = 1; ; attempt += 1) {
      const before = await fingerprint(place.statePath);
      const state = await commitState(place, join(scratch, `state-${attempt}`));
      if (!state.ok) return state;
      const work = await commitWorktree(place, join(scratch, `work-${attempt}`));
      if (!work.ok) return work;
      const isStill = (await fingerprint(place.statePath)) === before;
      if (isStill || attempt === MAX_TRIES) return done({ work: work.value, state: state.value });
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function fingerprint(statePath: string): Promise<string> {
  return JSON.stringify(await listState(statePath));
}

/** Dates are fixed, so that the same state is the same commit. */
const AT = '2000-01-01T00:00:00Z';

async function commitWorktree(place: WorkPlace, index: string): Promise<Result<string>> {
  const { worktree, author } = place;
  const asked = await git(['rev-parse', 'HEAD^{commit}', '--git-path', 'index'], { cwd: worktree });
  if (!asked.ok) return asked;
  const [head = '', own = ''] = asked.value.split('\n');
  // Git's own index knows which files are unchanged without reading them.
  const copied = await copyFile(isAbsolute(own) ? own : join(worktree, own), index).then(
    () => true,
    () => false,
  );
  const options = { cwd: worktree, variables: { GIT_INDEX_FILE: index }, author: { ...author, date: AT } };
  if (!copied) {
    const read = await git(['read-tree', head], options);
    if (!read.ok) return read;
  }
  const changed = await git(STATUS, options);
  if (!changed.ok) return changed;
  return changed.value === ''
    ? commitClean(place, head)
    : commitChanged(place, { head, changed: changed.value, options });
}

async function commitClean(place: WorkPlace, head: string): Promise<Result<string>> {
  const { memory = new Map() } = place;
  const made: string | undefined = memory.get(`clean ${head}`);
  if (made !== undefined) return done(made);
  const commit = await commitTree(place, `${head}^{tree}`, head);
  if (commit.ok) memory.set(`clean ${head}`, commit.value);
  return commit;
}

async function commitChanged(
  place: WorkPlace,
  on: { readonly head: string; readonly changed: string; readonly options: GitOptions },
): Promise<Result<string>> {
  const inner = await repositoriesIn(place.worktree, untrackedIn(on.changed));
  const others = inner.map((name) => `:(exclude,top,literal)${name}`);
  const added = await git(['add', '--all', '--', '.', ...others], on.options);
  if (!added.ok) return added;
  const tree = await git(['write-tree'], on.options);
  return tree.ok ? commitTree(place, tree.value, on.head) : tree;
}

function commitTree({ repository, runId, author }: WorkPlace, tree: string, head: string): Promise<Result<string>> {
  const options = { cwd: repository.root, author: { ...author, date: AT } };
  return git(['commit-tree', tree, '-p', head, '-m', `Work of ${runId}`], options);
}

const STATUS = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal', '--ignore-submodules=none'];

function untrackedIn(status: string): ReadonlyArray<string> {
  return status.split('\0').flatMap((entry) => (entry.startsWith('?? ') ? [entry.slice(3)] : []));
}

/** A nested repository would be kept as a number without its files. */
async function repositoriesIn(worktree: string, names: ReadonlyArray<string>): Promise<ReadonlyArray<string>> {
  const found: string[] = [];
  for (const name of names.filter((candidate) => candidate.endsWith('/'))) {
    const inner = await lstat(join(worktree, name, '.git')).catch(() => null);
    if (inner !== null) found.push(name.slice(0, -1));
  }
  return found;
}

const MAX_STATE_BYTES = 64_000_000;

async function commitState(
  { repository, statePath, runId, author, memory = new Map() }: WorkPlace,
  index: string,
): Promise<Result<string>> {
  const files = await listState(statePath);
  const same = `state ${JSON.stringify(files)}`;
  const made = memory.get(same);
  if (made !== undefined) return done(made);
  const size = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (size > MAX_STATE_BYTES)
    return refuse('unavailable', `The agent's own folder is too large to be carried (${size} bytes).`);
  const options = { cwd: repository.root, variables: { GIT_INDEX_FILE: index }, author: { ...author, date: AT } };
  const indexed = files.length === 0 ? done('') : await indexFiles(files, { statePath, options });
  if (!indexed.ok) return indexed;
  const tree = await git(['write-tree'], options);
  if (!tree.ok) return tree;
  const commit = await git(['commit-tree', tree.value, '-m', `State of ${runId}`], options);
  const isStill = JSON.stringify(await listState(statePath)) === same.slice('state '.length);
  if (commit.ok && isStill) memory.set(same, commit.value);
  return commit;
}

/** Byte for byte: no filters and no conversion of line endings. */
async function indexFiles(
  files: ReadonlyArray<StateFile>,
  { statePath, options }: { readonly statePath: string; readonly options: GitOptions },
): Promise<Result<string>> {
  const stdin = files.map(({ path }) => `${path}\n`).join('');
  const hashed = await git(['hash-object', '-w', '--no-filters', '--stdin-paths'], { ...options, stdin });
  if (!hashed.ok) return hashed;
  const hashes = hashed.value.split('\n');
  const entries = files.map(({ path }, at) => `100644 ${hashes[at] ?? ''}\t${relative(statePath, path)}\0`).join('');
  return git(['update-index', '-z', '--index-info'], { ...options, stdin: entries });
}

type StateFile = { readonly path: string; readonly bytes: number; readonly changed: number };

/** Plain files only; locks belong to processes of this machine. */
async function listState(folder: string): Promise<ReadonlyArray<StateFile>> {
  const found: StateFile[] = [];
  for (const name of (await readdir(folder).catch((): string[] => [])).toSorted()) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => null);
    if (stats === null || /[\n\0]/.test(name) || /\.lock(?:\.|$)/.test(name)) continue;
    if (stats.isDirectory()) found.push(...(await listState(path)));
    else if (stats.isFile()) found.push({ path, bytes: stats.size, changed: stats.mtimeMs });
  }
  return found;
}

export function keepCarried({ root }: Repository, runId: string, carried: CarriedWork): Promise<Result<string>> {
  const { n, work, state } = carried;
  const stdin = `update ${workRef(runId, n)} ${work}\nupdate ${stateRef(runId, n)} ${state}\n`;
  return git(['update-ref', '--stdin'], { cwd: root, stdin });
}

export function forgetRefs({ root }: Repository, refs: ReadonlyArray<string>): Promise<Result<string>> {
  const stdin = refs.map((ref) => `delete ${ref}\n`).join('');
  return git(['update-ref', '--stdin'], { cwd: root, stdin });
}

/** All refs of a run in this repository. */
export async function listCarriedRefs({ root }: Repository, runId: string): Promise<ReadonlyArray<string>> {
  const listed = await git(['for-each-ref', '--format=%(refname)', `refs/attractor/${runId}/`], { cwd: root });
  return listed.ok ? listed.value.split('\n').filter((ref) => ref !== '') : [];
}

/** The newest complete one. */
export async function newestCarried(repository: Repository, runId: string): Promise<CarriedWork | null> {
  const refs = new Set(await listCarriedRefs(repository, runId));
  const numbers = [...refs].map((ref) => Number(ref.slice(`refs/attractor/${runId}/`.length))).filter(Number.isInteger);
  for (const n of numbers.toSorted((a, b) => b - a)) {
    if (!refs.has(stateRef(runId, n))) continue;
    const work = await git(['rev-parse', '--verify', '--quiet', `${workRef(runId, n)}^{commit}`], {
      cwd: repository.root,
    });
    const state = await git(['rev-parse', '--verify', '--quiet', `${stateRef(runId, n)}^{commit}`], {
      cwd: repository.root,
    });
    if (work.ok && state.ok) return { n, work: work.value, state: state.value };
  }
  return null;
}
