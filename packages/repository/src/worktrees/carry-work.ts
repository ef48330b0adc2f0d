import { done, messageOf } from '@attractor/base';
import type { GitPerson } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';
import { git, type Repository } from '../git/repository.ts';
import { objectsOf, writeCommit } from '../git/write-object.ts';
import { listState, stateTree } from './state-tree.ts';
import { isSameWork, seeWork, workTree, type WorkSeen } from './work-tree.ts';

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
  /** What was seen last, and its commits, so that they are not made again. For one run, as long as the caller likes. */
  readonly last?: LastCarried;
};

export type LastCarried = {
  /** Another repository does not have what was written into this one. */
  into?: string;
  state?: { readonly files: string; readonly commit: string };
  work?: { readonly seen: WorkSeen; readonly commit: string };
};

export const workRef = (runId: string, n: number): string => `refs/attractor/${runId}/${n}`;
export const stateRef = (runId: string, n: number): string => `refs/attractor/${runId}/state/${n}`;

export function isStateRef(ref: string): boolean {
  return /^refs\/attractor\/[^/]+\/state\//.test(ref);
}

/** If an agent keeps changing its folder we do not wait longer. */
const MAX_TRIES = 4;

/**
 * The same state gives the same commits, so unchanged work need not be carried again. State and work are of the same moment if the agent
 * pauses long enough; otherwise the state is the older one, and the agent repeats what it does not remember.
 */
export async function snapshotWork(place: WorkPlace): Promise<Result<Omit<CarriedWork, 'n'>>> {
  const { last, repository } = place;
  if (last !== undefined && last.into !== repository.gitFolder) {
    delete last.state;
    delete last.work;
    last.into = repository.gitFolder;
  }
  try {
    for (let attempt = 1; ; attempt += 1) {
      const before = JSON.stringify(await listState(place.statePath));
      const state = await commitState(place, before);
      if (!state.ok) return state;
      const work = await commitWork(place);
      if (!work.ok) return work;
      const isStill = JSON.stringify(await listState(place.statePath)) === before;
      if (isStill && place.last !== undefined) place.last.state = { files: before, commit: state.value };
      if (isStill || attempt === MAX_TRIES) return done({ work: work.value, state: state.value });
    }
  } catch (error) {
    return refuse('unavailable', messageOf(error));
  }
}

async function commitState(place: WorkPlace, files: string): Promise<Result<string>> {
  const { repository, statePath, last } = place;
  if (last?.state?.files === files) return done(last.state.commit);
  const objects = await objectsOf(repository);
  const tree = await stateTree(objects, statePath);
  if (!tree.ok) return tree;
  return done(await writeCommit(objects, { tree: tree.value, ...about(place, 'State') }));
}

async function commitWork(place: WorkPlace): Promise<Result<string>> {
  const { repository, worktree, last } = place;
  const seen = await seeWork(worktree);
  if (!seen.ok) return seen;
  if (last?.work !== undefined && isSameWork(last.work.seen, seen.value)) return done(last.work.commit);
  const tree = await workTree(repository, worktree, seen.value);
  if (!tree.ok) return tree;
  const commit = await writeCommit(await objectsOf(repository), {
    tree: tree.value,
    parent: seen.value.head,
    ...about(place, 'Work'),
  });
  if (last !== undefined) last.work = { seen: seen.value, commit };
  return done(commit);
}

/** Dates are fixed, so that the same state is the same commit. */
const AT = '2000-01-01T00:00:00Z';

function about({ runId, author }: WorkPlace, what: 'State' | 'Work') {
  return { author: { ...author, date: AT }, message: `${what} of ${runId}` };
}

export function keepCarried(
  { root }: Repository,
  runId: string,
  { n, work, state }: CarriedWork,
): Promise<Result<string>> {
  const kept = [`update ${workRef(runId, n)} ${work}\n`, `update ${stateRef(runId, n)} ${state}\n`];
  return git(['update-ref', '--stdin'], { cwd: root, stdin: kept.join('') });
}

export function forgetRefs({ root }: Repository, refs: ReadonlyArray<string>): Promise<Result<string>> {
  return git(['update-ref', '--stdin'], { cwd: root, stdin: refs.map((ref) => `delete ${ref}\n`).join('') });
}

/** All refs of a run in this repository. */
export async function listCarriedRefs({ root }: Repository, runId: string): Promise<ReadonlyArray<string>> {
  const listed = await git(['for-each-ref', '--format=%(refname)', `refs/attractor/${runId}/`], { cwd: root });
  return listed.ok ? listed.value.split('\n').filter((ref) => ref !== '') : [];
}

/** The newest complete one. */
export async function newestCarried({ root }: Repository, runId: string): Promise<CarriedWork | null> {
  const own = `refs/attractor/${runId}/`;
  const listed = await git(['for-each-ref', '--format=%(objectname) %(refname)', own], { cwd: root });
  if (!listed.ok) return null;
  const commits = new Map(
    listed.value.split('\n').map((line) => {
      const [commit = '', ref = ''] = line.split(' ');
      return [ref.slice(own.length), commit];
    }),
  );
  const numbers = [...commits.keys()].map(Number).filter(Number.isInteger);
  for (const n of numbers.toSorted((a, b) => b - a)) {
    const [work, state] = [commits.get(String(n)), commits.get(`state/${n}`)];
    if (work !== undefined && state !== undefined) return { n, work, state };
  }
  return null;
}
