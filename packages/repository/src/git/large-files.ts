import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type GitResult, runGit } from '@attractor/git';
import { classifyRemote } from './classify-remote.ts';
import type { ScmResult } from './outside-result.ts';
import type { RemoteOptions } from './person-git.ts';
import { git, type Repository } from './repository.ts';

export type LargeFilesPlace = {
  readonly repository: Repository;
  readonly remote: { readonly name: string; readonly url: string };
  readonly talk: RemoteOptions & { readonly signal?: AbortSignal };
};

/** Whether anything of Git LFS was ever kept in this repository. */
export function keepsLargeFiles({ gitFolder }: Pick<Repository, 'gitFolder'>): boolean {
  return existsSync(join(gitFolder, 'lfs'));
}

const DONE = { ok: true, value: null } as const;

/** Gets what these commits name and is not here. What `lfs.fetchexclude` leaves out stays a pointer. */
export async function fetchLargeFiles(
  place: LargeFilesPlace,
  commits: ReadonlyArray<string>,
): Promise<ScmResult<null>> {
  for (const commit of commits) {
    const fetched = await largeFiles(place, commit, ['fetch']);
    if (fetched.exitCode !== 0) return refused(place, fetched);
  }
  return DONE;
}

/** Before a commit is pushed: others could not check it out without what its pointers name. */
export async function pushLargeFiles(place: LargeFilesPlace, commits: ReadonlyArray<string>): Promise<ScmResult<null>> {
  if (!keepsLargeFiles(place.repository)) return DONE;
  for (const commit of commits) {
    const pushed = await pushOne(place, commit);
    if (pushed.exitCode !== 0) return refused(place, pushed);
  }
  return DONE;
}

/** Made on another machine, it is at the remote already: then it is had from there. */
async function pushOne(place: LargeFilesPlace, commit: string): Promise<GitResult> {
  const pushed = await largeFiles(place, commit, ['push']);
  if (pushed.exitCode === 0 || !/\(missing\)/.test(said(pushed))) return pushed;
  const fetched = await largeFiles(place, commit, ['fetch']);
  return fetched.exitCode === 0 ? largeFiles(place, commit, ['push'], { 'lfs.allowincompletepush': 'true' }) : pushed;
}

const TIMEOUT_MS = 30 * 60_000;

/**
 * git-lfs takes addresses from `.lfsconfig`, which an agent can write. It reads that file from the working tree: ours has none of them, so
 * only what a person configured counts, or where the remote is.
 */
async function largeFiles(
  { repository, remote, talk }: LargeFilesPlace,
  commit: string,
  args: readonly ['fetch' | 'push'],
  config: Readonly<Record<string, string>> = {},
): Promise<GitResult> {
  const tree = await mkdtemp(join(tmpdir(), 'attractor-lfs-'));
  try {
    await writeFile(join(tree, '.lfsconfig'), await harmlessConfig(repository, commit));
    // From here a path that is not absolute leads elsewhere.
    const url = /^\.\.?\//.test(remote.url) ? resolve(repository.root, remote.url) : remote.url;
    return await runGit(['lfs', ...args, remote.name, commit], {
      ...talk,
      cwd: tree,
      outside: [repository.root],
      timeoutMs: TIMEOUT_MS,
      config: { ...talk.config, [`remote.${remote.name}.url`]: url, ...config },
      variables: { GIT_DIR: repository.gitFolder, GIT_WORK_TREE: tree },
    });
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

const HARMLESS = /^(lfs)\.(fetchinclude|fetchexclude)\n([^]*)$/;

/** What a project does not want to be fetched. */
async function harmlessConfig({ root }: Repository, commit: string): Promise<string> {
  const listed = await git(['config', '--blob', `${commit}:.lfsconfig`, '--null', '--list'], { cwd: root });
  return (listed.ok ? listed.value.split('\0') : [])
    .flatMap((entry) => {
      const [, section, key, value = ''] = HARMLESS.exec(entry) ?? [];
      return section === undefined ? [] : [`[${section}]\n\t${key} = ${JSON.stringify(value)}\n`];
    })
    .join('');
}

function said({ stderr, stdout }: GitResult): string {
  return `${stdout}\n${stderr}`.trim();
}

function refused({ remote }: LargeFilesPlace, result: GitResult): ScmResult<null> {
  const error = classifyRemote(said(result), { remote: remote.name, branch: 'files of Git LFS' });
  return { ok: false, error: { ...error, message: `Files of Git LFS: ${error.message}` } };
}
