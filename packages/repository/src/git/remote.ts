import { readRepositoryConfig, runGit } from '@attractor/git';
import { git, type Repository } from './repository.ts';
import { classifyRemote } from './classify-remote.ts';
import { pushLargeFiles } from './large-files.ts';
import { fetchMissing } from './missing-objects.ts';
import type { RemoteOptions } from './person-git.ts';
import type { ScmResult } from './outside-result.ts';

/** `isPromisor`: the clone has only a part of it, and may ask it for the rest. */
export type Remote = { readonly name: string; readonly url: string; readonly isPromisor?: true };

/** `origin`, otherwise the first configured remote, otherwise null. */
export async function findRemote({ root }: Repository): Promise<Remote | null> {
  const entries = await readRepositoryConfig({ cwd: root });
  const remotes = entries.flatMap(({ key, value: url }) => {
    const name = /^remote\.(.+)\.url$/.exec(key)?.[1];
    return name === undefined || url === '' || name.startsWith('-') ? [] : [{ name, url }];
  });
  const remote = remotes.find(({ name }) => name === 'origin') ?? remotes[0];
  if (remote === undefined) return null;
  const isPromisor = entries.some(({ key, value }) => key === `remote.${remote.name}.promisor` && value !== 'false');
  return isPromisor ? { ...remote, isPromisor } : remote;
}

export type RemoteBranch = {
  readonly repository: Repository;
  readonly remote: Remote;
  readonly branch: string;
  readonly talk: RemoteOptions;
};

/** Puts a commit on a branch of the remote, unless that would lose something there. Repeating it changes nothing. */
export async function pushCommit(to: RemoteBranch, commit: string): Promise<ScmResult<null>> {
  const large = await pushLargeFiles(to, [commit]);
  return large.ok ? push(to, [`${commit}:refs/heads/${to.branch}`]) : large;
}

/** Only while the branch is still at the commit. */
export async function deleteRemoteBranch(from: RemoteBranch, commit: string): Promise<ScmResult<null>> {
  return push(from, [`:refs/heads/${from.branch}`], [`--force-with-lease=refs/heads/${from.branch}:${commit}`]);
}

async function push(
  { repository, remote, branch, talk }: RemoteBranch,
  refs: ReadonlyArray<string>,
  flags: ReadonlyArray<string> = [],
): Promise<ScmResult<null>> {
  const pushed = await runGit(['push', '--porcelain', ...flags, '--', remote.name, ...refs], {
    cwd: repository.root,
    ...talk,
  });
  if (pushed.exitCode === 0) return { ok: true, value: null };
  return { ok: false, error: classifyRemote(`${pushed.stderr}\n${pushed.stdout}`, { remote: remote.name, branch }) };
}

/** The remote's commit of the branch, fetched; null if it has no such branch. */
export async function fetchBranch({
  repository,
  remote,
  branch,
  talk,
}: RemoteBranch): Promise<ScmResult<string | null>> {
  const tracking = `refs/remotes/${remote.name}/${branch}`;
  const fetched = await runGit(
    ['fetch', '--quiet', '--no-tags', '--', remote.name, `+refs/heads/${branch}:${tracking}`],
    { cwd: repository.root, ...talk },
  );
  if (fetched.exitCode !== 0) {
    if (/couldn't find remote ref/.test(fetched.stderr)) return { ok: true, value: null };
    return { ok: false, error: classifyRemote(fetched.stderr, { remote: remote.name, branch }) };
  }
  const commit = await git(['rev-parse', '--verify', '--quiet', `${tracking}^{commit}`], { cwd: repository.root });
  if (!commit.ok) return { ok: true, value: null };
  const whole = await fetchMissing({ repository, remote, talk, branch }, [commit.value]);
  return whole.ok ? commit : whole;
}
