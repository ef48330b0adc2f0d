import { done } from '@attractor/base';
import type { RemoteOptions } from '../git/person-git.ts';
import { findRemote } from '../git/remote.ts';
import { refuse, type Result } from '@attractor/store';
import { forgetRefs, listCarriedRefs } from './carry-work.ts';
import { git, type Repository } from '../git/repository.ts';

type Talking = { readonly repository: Repository; readonly runId: string; readonly talk: RemoteOptions };

/** Puts the refs on the project's remote and deletes older ones there. Does nothing if there is no remote. */
export async function pushRefs(
  { repository, talk }: Omit<Talking, 'runId'>,
  change: { readonly put: ReadonlyArray<string>; readonly drop: ReadonlyArray<string> },
): Promise<Result<'pushed' | 'no_remote'>> {
  const remote = await findRemote(repository);
  if (remote === null) return done('no_remote');
  const specs = [...change.put.map((ref) => `${ref}:${ref}`), ...change.drop.map((ref) => `:${ref}`)];
  if (specs.length === 0) return done('pushed');
  const pushed = await git(['push', '--quiet', '--', remote.name, ...specs], { cwd: repository.root, ...talk });
  return pushed.ok
    ? done('pushed')
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

/** The run is over and its work is where it belongs. If the remote is unreachable now, the supervisor drops the refs later. */
export async function dropCarried(at: Talking): Promise<boolean> {
  const refs = await listCarriedRefs(at.repository, at.runId);
  if (refs.length === 0) return true;
  const dropped = await pushRefs(at, { put: [], drop: refs });
  if (!dropped.ok && !/remote ref does not exist/.test(dropped.error.message)) return false;
  return (await forgetRefs(at.repository, refs)).ok;
}
