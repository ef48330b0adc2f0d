import { done } from '@attractor/base';
import { pushLargeFiles } from '../git/large-files.ts';
import type { RemoteOptions } from '../git/person-git.ts';
import { findRemote, type Remote } from '../git/remote.ts';
import { refuse, type Result } from '@attractor/store';
import { forgetRefs, isStateRef, listCarriedRefs, newestCarried } from './carry-work.ts';
import { git, type Repository } from '../git/repository.ts';
import { nextRescueRef } from './rescue.ts';

type Talking = { readonly repository: Repository; readonly runId: string; readonly talk: RemoteOptions };

/** Puts refs on the remote, with what Git LFS keeps of them, and deletes older ones there. */
export async function pushRefs(
  to: Omit<Talking, 'runId'> & { readonly remote: Remote },
  { put, drop }: { readonly put: ReadonlyArray<string>; readonly drop: ReadonlyArray<string> },
): Promise<Result<null>> {
  const large = await pushLargeFiles(
    to,
    put.filter((ref) => !isStateRef(ref)),
  );
  if (!large.ok) return refuse('unavailable', large.error.message);
  return push(to, [...put.map((ref) => `${ref}:${ref}`), ...drop.map((ref) => `:${ref}`)]);
}

async function push(
  { repository, remote, talk }: Parameters<typeof pushRefs>[0],
  what: ReadonlyArray<string>,
  flags: ReadonlyArray<string> = [],
): Promise<Result<null>> {
  const pushed = await git(['push', '--quiet', ...flags, '--', remote.name, ...what], {
    cwd: repository.root,
    ...talk,
  });
  return pushed.ok
    ? done(null)
    : refuse('unavailable', `The work could not be put on ${remote.name}: ${pushed.error.message}`);
}

export async function fetchCarried({ repository, runId, talk }: Talking): Promise<Result<null>> {
  const remote = await findRemote(repository);
  if (remote === null) return refuse('unavailable', `${repository.root} has no remote to get the run's work from.`);
  const refs = `refs/attractor/${runId}/*`;
  const fetched = await git(['fetch', '--quiet', '--no-tags', '--', remote.name, `+${refs}:${refs}`], {
    cwd: repository.root,
    ...talk,
  });
  return fetched.ok
    ? done(null)
    : refuse('unavailable', `The run's work could not be fetched from ${remote.name}: ${fetched.error.message}`);
}

/** No ref has such a name: what it is mirrored to is emptied, whatever is there. */
const NONE = 'refs/attractor/no-run/*';

/** The run is over and its work is where it belongs. If the remote is unreachable now, the supervisor drops the refs later. */
export async function dropCarried({ runId, ...at }: Talking): Promise<boolean> {
  return (await listCarriedRefs(at.repository, runId)).length === 0 || dropAllCarried({ ...at, runIds: [runId] });
}

/** Also what this repository never had: another machine may have put it on the remote. */
export async function dropAllCarried({
  runIds,
  ...at
}: Omit<Talking, 'runId'> & { readonly runIds: ReadonlyArray<string> }): Promise<boolean> {
  const remote = await findRemote(at.repository);
  const theirs = runIds.map((runId) => `${NONE}:refs/attractor/${runId}/*`);
  if (remote !== null && !(await push({ ...at, remote }, theirs, ['--prune'])).ok) return false;
  const ours = await Promise.all(runIds.map((runId) => listCarriedRefs(at.repository, runId)));
  return (await forgetRefs(at.repository, ours.flat())).ok;
}

/** Runs of which something is carried, in this repository and, if it is asked and answers, on its remote. */
export async function listCarriedRuns(
  { repository, talk }: Omit<Talking, 'runId'>,
  asks: { readonly remote: boolean },
): Promise<ReadonlySet<string>> {
  const remote = asks.remote ? await findRemote(repository) : null;
  const cwd = repository.root;
  const listed = [
    await git(['for-each-ref', '--format=%(refname)', 'refs/attractor/'], { cwd }),
    ...(remote === null ? [] : [await git(['ls-remote', '--', remote.name, 'refs/attractor/run_*'], { cwd, ...talk })]),
  ];
  const refs = listed.flatMap((one) => (one.ok ? one.value.split('\n') : []));
  return new Set(refs.flatMap((ref) => /refs\/attractor\/(run_[0-9a-z]+)\//.exec(ref)?.[1] ?? []));
}

/** What a run carried, under the task's next rescue ref; true if there is nothing more to keep. */
export async function rescueCarried({ taskId, ...at }: Talking & { readonly taskId: string }): Promise<boolean> {
  if (!(await fetchCarried(at)).ok) return false;
  const carried = await newestCarried(at.repository, at.runId);
  return carried === null || (await nextRescueRef(at.repository, taskId, carried.work)).ok;
}
