import { done } from '@attractor/base';
import type { RemoteOptions } from '../git/person-git.ts';
import { findRemote, type Remote } from '../git/remote.ts';
import { refuse, type Result } from '@attractor/store';
import { forgetRefs, listCarriedRefs } from './carry-work.ts';
import { git, type Repository } from '../git/repository.ts';

type Talking = { readonly repository: Repository; readonly runId: string; readonly talk: RemoteOptions };

/** Puts refs on the remote and deletes older ones there. */
export function pushRefs(
  to: Omit<Talking, 'runId'> & { readonly remote: Remote },
  { put, drop }: { readonly put: ReadonlyArray<string>; readonly drop: ReadonlyArray<string> },
): Promise<Result<null>> {
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
export async function dropCarried(at: Talking): Promise<boolean> {
  const refs = await listCarriedRefs(at.repository, at.runId);
  if (refs.length === 0) return true;
  const remote = await findRemote(at.repository);
  const theirs = [`${NONE}:refs/attractor/${at.runId}/*`];
  if (remote !== null && !(await push({ ...at, remote }, theirs, ['--prune'])).ok) return false;
  return (await forgetRefs(at.repository, refs)).ok;
}
