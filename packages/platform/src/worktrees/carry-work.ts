import { copyFile, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import type { GitOptions, GitPerson } from '@attractor/agent';
import { done, refuse } from '../refusal.ts';
import type { Result } from '../workflow-contract.ts';
import { git, type Repository } from './repository.ts';

/**
 * A run's work as commits that another machine can go on from: `refs/attractor/<run>/<n>` is the worktree as it is (its parent is what
 * was committed; ignored files stay out), `refs/attractor/<run>/state/<n>` is the agent's own folder. The state is never newer than
 * the work. No index, no branch and no file of the worktree is touched.
 */
export type Carried = { readonly n: number; readonly work: string; readonly state: string };

export type WorkPlace = {
  readonly repository: Repository;
  readonly runId: string;
  readonly worktree: string;
  readonly statePath: string;
  readonly author: GitPerson;
};

export const workRef = (runId: string, n: number): string => `refs/attractor/${runId}/${n}`;
export const stateRef = (runId: string, n: number): string => `refs/attractor/${runId}/state/${n}`;

/** An agent that keeps changing its folder is not waited for longer. */
const MAX_TRIES = 4;

/**
 * The same state gives the same commits: what did not change need not be carried again. State and work are of one moment where the
 * agent leaves one; else the state is the older, and the agent does again what it does not remember.
 */
export async function snapshotWork(place: WorkPlace): Promise<Result<Omit<Carried, 'n'>>> {
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

async function commitWorktree(
  { repository, worktree, runId, author }: WorkPlace,
  index: string,
): Promise<Result<string>> {
  const head = await git(['rev-parse', '--verify', 'HEAD^{commit}'], { cwd: worktree });
  if (!head.ok) return head;
  const own = await git(['rev-parse', '--git-path', 'index'], { cwd: worktree });
  if (!own.ok) return own;
  // Git's own index knows which files are unchanged without reading them.
  const copied = await copyFile(isAbsolute(own.value) ? own.value : join(worktree, own.value), index).then(
    () => true,
    () => false,
  );
  const options = { cwd: worktree, variables: { GIT_INDEX_FILE: index }, author: { ...author, date: AT } };
  if (!copied) {
    const read = await git(['read-tree', head.value], options);
    if (!read.ok) return read;
  }
  const listed = await git(['ls-files', '--others', '--exclude-standard', '--directory', '-z'], options);
  const inner = listed.ok ? await repositoriesIn(worktree, listed.value.split('\0')) : [];
  const added = await git(
    ['add', '--all', '--', '.', ...inner.map((name) => `:(exclude,top,literal)${name}`)],
    options,
  );
  if (!added.ok) return added;
  const tree = await git(['write-tree'], options);
  if (!tree.ok) return tree;
  return git(['commit-tree', tree.value, '-p', head.value, '-m', `Work of ${runId}`], {
    cwd: repository.root,
    author: { ...author, date: AT },
  });
}

/** A repository inside would be kept as a number without its files. */
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
  { repository, statePath, runId, author }: WorkPlace,
  index: string,
): Promise<Result<string>> {
  const files = await listState(statePath);
  const size = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (size > MAX_STATE_BYTES)
    return refuse('unavailable', `The agent's own folder is too large to be carried (${size} bytes).`);
  const options = { cwd: repository.root, variables: { GIT_INDEX_FILE: index }, author: { ...author, date: AT } };
  const emptied = await git(['read-tree', '--empty'], options);
  if (!emptied.ok) return emptied;
  const indexed = files.length === 0 ? emptied : await indexFiles(files, { statePath, options });
  if (!indexed.ok) return indexed;
  const tree = await git(['write-tree'], options);
  return tree.ok ? git(['commit-tree', tree.value, '-m', `State of ${runId}`], options) : tree;
}

/** Byte for byte: no filter and no change of line ends. */
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

export function keepCarried({ root }: Repository, runId: string, carried: Carried): Promise<Result<string>> {
  const { n, work, state } = carried;
  const stdin = `update ${workRef(runId, n)} ${work}\nupdate ${stateRef(runId, n)} ${state}\n`;
  return git(['update-ref', '--stdin'], { cwd: root, stdin });
}

export function forgetRefs({ root }: Repository, refs: ReadonlyArray<string>): Promise<Result<string>> {
  const stdin = refs.map((ref) => `delete ${ref}\n`).join('');
  return git(['update-ref', '--stdin'], { cwd: root, stdin });
}

/** Every ref of a run that this repository has. */
export async function listCarriedRefs({ root }: Repository, runId: string): Promise<ReadonlyArray<string>> {
  const listed = await git(['for-each-ref', '--format=%(refname)', `refs/attractor/${runId}/`], { cwd: root });
  return listed.ok ? listed.value.split('\n').filter((ref) => ref !== '') : [];
}

/** The newest that is whole. */
export async function newestCarried(repository: Repository, runId: string): Promise<Carried | null> {
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
