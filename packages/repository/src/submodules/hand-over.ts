import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { done } from '@attractor/base';
import { readRepositoryConfig, runGit } from '@attractor/git';
import { classifyRemote } from '../git/classify-remote.ts';
import { fail, type ScmResult } from '../git/outside-result.ts';
import type { RemoteOptions } from '../git/person-git.ts';
import type { Remote } from '../git/remote.ts';
import { git, type Repository } from '../git/repository.ts';
import { findSubmoduleStore, inStore, makeSubmoduleStore, storeHas, type SubmoduleStore } from './submodule-store.ts';

export type SubmodulePlace = {
  readonly repository: Repository;
  readonly remote: Remote | null;
  readonly talk: RemoteOptions;
};

const DONE = { ok: true, value: null } as const;

type Pointer = { readonly path: string; readonly commit: string };

const POINTER = /^160000 commit ([0-9a-f]{40,64})\t(.+)$/s;

async function pointersOf({ root }: Repository, commit: string): Promise<ReadonlyArray<Pointer>> {
  const listed = await git(['ls-tree', '-r', '-z', '--full-tree', commit], { cwd: root });
  return (listed.ok ? listed.value.split('\0') : []).flatMap((line) => {
    const [, pointed = '', path = ''] = POINTER.exec(line) ?? [];
    return path === '' ? [] : [{ path, commit: pointed }];
  });
}

/** Whether a commit can have pointers at all, which one look tells. */
async function namesSubmodules({ root }: Repository, commit: string): Promise<boolean> {
  return (await git(['cat-file', '-e', `${commit}:.gitmodules`], { cwd: root })).ok;
}

/**
 * Pushes what runs did in submodules, each to a branch of the project's branch name, before the commit that points at it is pushed. A
 * submodule without work of ours is left alone.
 */
export async function pushSubmodules(
  place: SubmodulePlace,
  { branch, commit }: { readonly branch: string; readonly commit: string },
): Promise<ScmResult<null>> {
  const { repository, talk } = place;
  if (!(await namesSubmodules(repository, commit))) return DONE;
  for (const pointer of await pointersOf(repository, commit)) {
    const store = findSubmoduleStore(repository.root, pointer.path);
    if (store === null || !(await storeHas(store, pointer.commit))) continue;
    const address = await addressOf(repository, { ...pointer, at: commit });
    if (address === null) return fail('unavailable', unknownAddress(pointer));
    if ((await hasHead(store, { address, talk, commit: pointer.commit })) === true) continue;
    if (await movesInner(store, pointer.commit)) return fail('unavailable', innerMoved(pointer));
    const pushed = await runGit(['push', '--porcelain', '--', address, `${pointer.commit}:refs/heads/${branch}`], {
      ...inStore(store),
      ...talk,
    });
    if (pushed.exitCode === 0) continue;
    const said = classifyRemote(`${pushed.stderr}\n${pushed.stdout}`, { remote: pointer.path, branch });
    return { ok: false, error: { ...said, message: `The submodule ${pointer.path}: ${said.message}` } };
  }
  return DONE;
}

/**
 * Whether everybody who gets a commit can check out the submodules that it moves: their commits are on a branch of their remotes. Where the
 * project has no remote, they are put into the submodules' own repositories here.
 */
export async function proveSubmodules(
  place: SubmodulePlace,
  { commit, base, branch }: { readonly commit: string; readonly base: string; readonly branch: string },
): Promise<ScmResult<null>> {
  const { repository } = place;
  if (!(await namesSubmodules(repository, commit))) return DONE;
  const before = new Map((await pointersOf(repository, base)).map((pointer) => [pointer.path, pointer.commit]));
  for (const pointer of await pointersOf(repository, commit)) {
    if (before.get(pointer.path) === pointer.commit) continue;
    const proven = await proveOne(place, { ...pointer, at: commit, branch });
    if (!proven.ok) return proven;
  }
  return DONE;
}

type Named = Pointer & { readonly at: string; readonly branch: string };

async function proveOne(place: SubmodulePlace, pointer: Named): Promise<ScmResult<null>> {
  const { repository, remote, talk } = place;
  const store = findSubmoduleStore(repository.root, pointer.path);
  const isOurs = store !== null && (await storeHas(store, pointer.commit));
  const name = await nameOf(repository, pointer);
  const clone = name === null ? null : join(repository.gitFolder, 'modules', name);
  if (remote === null && isOurs && clone !== null && existsSync(clone)) {
    if (await movesInner(store, pointer.commit)) return fail('blocked', innerMoved(pointer));
    return giveToClone(store, clone, pointer);
  }
  const address = await addressOf(repository, pointer);
  if (address === null) return fail('blocked', `${unknownAddress(pointer)} Nothing was merged.`);
  const asked = store === null ? await makeSubmoduleStore(repository.gitFolder, pointer.path) : done(store);
  if (!asked.ok) return fail(asked.error.code, asked.error.message);
  const isThere = await hasHead(asked.value, { address, talk, commit: pointer.commit });
  if (isThere === null)
    return {
      ok: false,
      error: {
        code: 'unavailable',
        message: `The repository of the submodule ${pointer.path} (${address}) can't be asked for ${pointer.commit.slice(0, 12)}: nothing was merged.`,
        retryable: true,
      },
    };
  return isThere ? DONE : fail('blocked', notThere(pointer, address));
}

function notThere({ path, commit }: Pointer, address: string): string {
  return `The submodule ${path} points at ${commit.slice(0, 12)}, which no branch of ${address} has: whoever gets this change could not check it out. Push that commit there, then merge again; nothing was merged.`;
}

function unknownAddress({ path }: Pointer): string {
  return `The submodule ${path} has changes, and your checkout does not say where its repository is: run "git submodule init" there.`;
}

function innerMoved({ path }: Pointer): string {
  return `The submodule ${path} has submodules of its own, and the work in it moves them: commit and push those by hand.`;
}

/** Whether commits that the remote lacks point at others inside of the submodule. */
async function movesInner(store: SubmoduleStore, commit: string): Promise<boolean> {
  const own = [commit, '--not', '--glob=refs/theirs/*'];
  const changed = await git(['log', '--format=', '--raw', '--no-abbrev', '-m', ...own], inStore(store));
  return !changed.ok || /^:\d+ 160000 /m.test(changed.value);
}

/** For the person who updates the submodule: its repository here has the commit, under the branch's name. */
async function giveToClone(store: SubmoduleStore, clone: string, pointer: Named): Promise<ScmResult<null>> {
  const refs = `+refs/heads/${pointer.branch}:refs/heads/${pointer.branch}`;
  const given = await git(['fetch', '--quiet', '--no-tags', '--', store.folder, refs], {
    cwd: clone,
    variables: { GIT_DIR: clone, GIT_WORK_TREE: clone },
  });
  return given.ok ? DONE : fail('unavailable', `The submodule ${pointer.path}: ${given.error.message}`);
}

type Asking = { readonly address: string; readonly talk: RemoteOptions; readonly commit: string };

/** Whether a branch of the remote has the commit; null if it does not answer. */
async function hasHead(store: SubmoduleStore, { address, talk, commit }: Asking): Promise<boolean | null> {
  const asked = await runGit(['ls-remote', '--heads', '--', address], { ...inStore(store), ...talk });
  if (asked.exitCode !== 0) return null;
  const heads = asked.stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
  if (heads.includes(commit)) return true;
  const refs = '+refs/heads/*:refs/theirs/*';
  const fetched = await runGit(['fetch', '--quiet', '--no-tags', '--prune', '--', address, refs], {
    ...inStore(store),
    ...talk,
  });
  if (fetched.exitCode !== 0) return null;
  const held = await git(['for-each-ref', '--count=1', '--contains', commit, 'refs/theirs'], inStore(store));
  return held.ok && held.value !== '';
}

/** From a person's own configuration: what the repository's files say could send work anywhere. */
async function addressOf(repository: Repository, pointer: Pointer & { readonly at: string }): Promise<string | null> {
  const name = await nameOf(repository, pointer);
  const known = await readRepositoryConfig({ cwd: repository.root });
  const url = known.findLast(({ key }) => key === `submodule.${name ?? ''}.url`)?.value ?? '';
  return url === '' || url.startsWith('-') ? null : url;
}

async function nameOf({ root }: Repository, { path, at }: Pointer & { readonly at: string }): Promise<string | null> {
  const listed = await git(['config', '--blob', `${at}:.gitmodules`, '--null', '--list'], { cwd: root });
  const names = (listed.ok ? listed.value.split('\0') : []).flatMap((entry) => {
    const [, name = '', value = ''] = /^submodule\.(.+)\.path\n(.*)$/s.exec(entry) ?? [];
    return value === path ? [name] : [];
  });
  const name = names[0] ?? null;
  return name === null || normalize(name) !== name || name.startsWith('..') || name.startsWith('/') ? null : name;
}
