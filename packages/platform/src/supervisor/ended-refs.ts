import { taskBranchOf } from '@attractor/run';
import type { Store } from '@attractor/store';
import { git, nextRescueRef, type Repository, withRepoLock } from '@attractor/repository';
import type { Finding } from './findings.ts';
import { type Check, finding } from './check.ts';
import { whyEnded } from './ended-tasks.ts';
import { listCheckouts, whileThere } from './our-worktrees.ts';

const BRANCH = 'refs/heads/';

/**
 * Drops the refs of ended tasks: what was fetched for them, and the branches of their attempts. Rescue refs stay, and commits of an attempt
 * that no other ref holds are kept under one.
 */
export const endedRefs: Check = async ({ store, home, settings }) => {
  const findings: Finding[] = [];
  for (const { repository } of await listCheckouts(store, home)) {
    const left = await listLeft(store, repository);
    for (const taskId of new Set(left.map((ref) => ref.taskId))) {
      if ((await whyEnded(store.read, taskId, settings.keepWorktreesMs)) === null) continue;
      const own = left.filter((ref) => ref.taskId === taskId);
      const dropped = (await whileThere([repository.root], () => dropAll(repository, own))) ?? [];
      const branches = dropped.filter((ref) => ref.startsWith(BRANCH)).map((ref) => ref.slice(BRANCH.length));
      if (branches.length > 0)
        findings.push(finding('ended-refs', { taskId, runId: null }, `Dropped ${branches.join(', ')}: the task ended`));
    }
  }
  return findings;
};

type LeftRef = { readonly ref: string; readonly commit: string; readonly taskId: string };

const PATTERNS = ['refs/attractor/base/', 'refs/attractor/remote/', 'refs/heads/**/*--attempt-*'];
const FETCHED = /^refs\/attractor\/(?:base|remote)\/(tsk_[0-9a-z]+)/;

/** Excludes refs that are checked out somewhere. */
async function listLeft(store: Store, { root }: Repository): Promise<ReadonlyArray<LeftRef>> {
  const format = '--format=%(objectname) %(refname) %(worktreepath)';
  const listed = await git(['for-each-ref', format, ...PATTERNS], { cwd: root });
  if (!listed.ok) return [];
  const found: LeftRef[] = [];
  for (const line of listed.value.split('\n')) {
    const [commit = '', ref = '', checkedOut = ''] = line.split(' ');
    if (checkedOut !== '') continue;
    const taskId = FETCHED.exec(ref)?.[1] ?? (await taskOfAttempt(store, ref));
    if (taskId !== null) found.push({ ref, commit, taskId });
  }
  return found;
}

/** By the branch of its run: a person's branch may have any name. */
async function taskOfAttempt({ read }: Store, ref: string): Promise<string | null> {
  if (!ref.startsWith(BRANCH)) return null;
  const branch = ref.slice(BRANCH.length);
  const row = await read
    .selectFrom('runs')
    .innerJoin('attempts', 'attempts.run_id', 'runs.id')
    .select('runs.task_id')
    .where('runs.branch', 'in', [branch, taskBranchOf(branch)])
    .executeTakeFirst();
  return row?.task_id ?? null;
}

function dropAll(repository: Repository, refs: ReadonlyArray<LeftRef>): Promise<ReadonlyArray<string>> {
  return withRepoLock(repository.gitFolder, async () => {
    const dropped: string[] = [];
    for (const left of refs) if (await drop(repository, left)) dropped.push(left.ref);
    return dropped;
  });
}

async function drop(repository: Repository, { ref, commit, taskId }: LeftRef): Promise<boolean> {
  if (ref.startsWith(BRANCH)) {
    const holders = await git(['for-each-ref', '--format=%(refname)', '--contains', commit], { cwd: repository.root });
    if (!holders.ok) return false;
    const isHeld = holders.value.split('\n').some((holder) => holder !== ref && holder !== '');
    if (!isHeld && !(await nextRescueRef(repository, taskId, commit)).ok) return false;
  }
  return (await git(['update-ref', '-d', ref, commit], { cwd: repository.root })).ok;
}
