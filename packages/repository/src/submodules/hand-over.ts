import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { done } from '@attractor/base';
import { readRepositoryConfig, runGit } from '@attractor/git';
import { classifyRemote } from '../git/classify-remote.ts';
import { fail, type ScmResult } from '../git/outside-result.ts';
import { fetchLargeFiles, keepsLargeFiles, pushLargeFiles } from '../git/large-files.ts';
import type { RemoteOptions } from '../git/person-git.ts';
import type { Remote } from '../git/remote.ts';
import { git, type Repository } from '../git/repository.ts';
import {
  findSubmoduleStore,
  inStore,
  largeFilesOf,
  makeSubmoduleStore,
  storeHas,
  type SubmoduleStore,
} from './submodule-store.ts';

export type SubmodulePlace = {
  readonly repository: Repository;
  readonly remote: Remote | null;
  readonly talk: RemoteOptions;
};

const DONE = { ok: true, value: null } as const;

/** Its path from the top of the project, and in the repository that names it. */
type Pointer = { readonly path: string; readonly name: string; readonly commit: string };

/** A repository that names submodules: the project, or what runs made in one of its submodules. */
type Level = {
  readonly tree: Parameters<typeof git>[1];
  readonly below: string;
  /** A person's own clone of it; null if there is none. */
  readonly clone: string | null;
  readonly settings: Parameters<typeof readRepositoryConfig>[0] | null;
};

function topOf({ root, gitFolder }: Repository): Level {
  return { tree: { cwd: root }, below: '', clone: gitFolder, settings: { cwd: root } };
}

async function insideOf(level: Level, { path, ...pointer }: Pointer & At, store: SubmoduleStore): Promise<Level> {
  const clone = await cloneOf(level, { path, ...pointer });
  return { tree: inStore(store), below: `${path}/`, clone, settings: clone === null ? null : inClone(clone) };
}

/** Where git keeps the clone of a submodule; null if nobody checked it out here. */
async function cloneOf(level: Level, pointer: Pointer & At): Promise<string | null> {
  const name = level.clone === null ? null : await nameOf(level, pointer);
  const clone = level.clone === null || name === null ? null : join(level.clone, 'modules', name);
  return clone !== null && existsSync(clone) ? clone : null;
}

function inClone(clone: string) {
  return { cwd: clone, variables: { GIT_DIR: clone, GIT_WORK_TREE: clone } };
}

const POINTER = /^160000 commit ([0-9a-f]{40,64})\t(.+)$/s;

async function pointersOf({ tree, below }: Level, commit: string): Promise<ReadonlyArray<Pointer>> {
  const listed = await git(['ls-tree', '-r', '-z', '--full-tree', commit], tree);
  return (listed.ok ? listed.value.split('\0') : []).flatMap((line) => {
    const [, pointed = '', name = ''] = POINTER.exec(line) ?? [];
    return name === '' ? [] : [{ path: `${below}${name}`, name, commit: pointed }];
  });
}

/** Whether a commit can have pointers at all, which one look tells. */
async function namesSubmodules({ tree }: Level, commit: string): Promise<boolean> {
  return (await git(['cat-file', '-e', `${commit}:.gitmodules`], tree)).ok;
}

type Pushing = { readonly branch: string; readonly commit: string };

/**
 * Pushes what runs did in submodules, each to a branch of the project's branch name, before the commit that points at it is pushed: those
 * inside of another one first. A submodule without work of ours is left alone.
 */
export function pushSubmodules(place: SubmodulePlace, pushing: Pushing): Promise<ScmResult<null>> {
  return pushLevel(place, topOf(place.repository), pushing);
}

async function pushLevel(place: SubmodulePlace, level: Level, { branch, commit }: Pushing): Promise<ScmResult<null>> {
  const { repository, talk } = place;
  if (!(await namesSubmodules(level, commit))) return DONE;
  for (const found of await pointersOf(level, commit)) {
    const pointer = { ...found, at: commit };
    const store = findSubmoduleStore(repository.root, pointer.path);
    if (store === null || !(await storeHas(store, pointer.commit))) continue;
    const inner = await pushLevel(place, await insideOf(level, pointer, store), { branch, commit: pointer.commit });
    if (!inner.ok) return inner;
    const address = await addressOf(level, pointer);
    if (address === null) return fail('unavailable', unknownAddress(pointer));
    if ((await hasHead(store, { address, talk, commit: pointer.commit })) === true) continue;
    const large = await pushLargeFiles(largeFilesOf(store, address, talk), [pointer.commit]);
    if (!large.ok) return large;
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

type Proving = { readonly commit: string; readonly base: string; readonly branch: string };

/**
 * Whether everybody who gets a commit can check out the submodules that it moves: their commits are on a branch of their remotes. Where the
 * project has no remote, they are put into the submodules' own repositories here.
 */
export function proveSubmodules(place: SubmodulePlace, proving: Proving): Promise<ScmResult<null>> {
  return proveLevel(place, topOf(place.repository), proving);
}

/** Without a base only what runs made is looked at. */
async function proveLevel(
  place: SubmodulePlace,
  level: Level,
  { commit, base, branch }: Omit<Proving, 'base'> & { readonly base: string | null },
): Promise<ScmResult<null>> {
  if (!(await namesSubmodules(level, commit))) return DONE;
  const known = base === null ? [] : await pointersOf(level, base);
  const before = new Map(known.map((pointer) => [pointer.path, pointer.commit]));
  for (const found of await pointersOf(level, commit)) {
    const pointer = { ...found, at: commit, branch };
    const was = before.get(pointer.path);
    if (was === pointer.commit) continue;
    const store = findSubmoduleStore(place.repository.root, pointer.path);
    const isOurs = store !== null && (await storeHas(store, pointer.commit));
    if (base === null && !isOurs) continue;
    if (isOurs) {
      const from = was !== undefined && (await storeHas(store, was)) ? was : null;
      const inside = { commit: pointer.commit, base: from, branch };
      const inner = await proveLevel(place, await insideOf(level, pointer, store), inside);
      if (!inner.ok) return inner;
    }
    const proven = await proveOne(place, level, { ...pointer, store, isOurs });
    if (!proven.ok) return proven;
  }
  return DONE;
}

/** The commit whose list of submodules names it. */
type At = { readonly at: string };
type Named = Pointer & At & { readonly branch: string };

async function proveOne(
  { repository, remote, talk }: SubmodulePlace,
  level: Level,
  { store, isOurs, ...pointer }: Named & { readonly store: SubmoduleStore | null; readonly isOurs: boolean },
): Promise<ScmResult<null>> {
  const clone = await cloneOf(level, pointer);
  if (remote === null && isOurs && store !== null && clone !== null) return giveToClone(store, clone, pointer);
  const address = await addressOf(level, pointer);
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
  return `The submodule ${path} has changes, and your checkout does not say where its repository is: run "git submodule update --init --recursive" there.`;
}

/** For the person who updates the submodule: its repository here has the commit, under the branch's name. */
async function giveToClone(store: SubmoduleStore, clone: string, pointer: Named): Promise<ScmResult<null>> {
  const refs = `+refs/heads/${pointer.branch}:refs/heads/${pointer.branch}`;
  const given = await git(['fetch', '--quiet', '--no-tags', '--', store.folder, refs], {
    ...inClone(clone),
  });
  if (!given.ok) return fail('unavailable', `The submodule ${pointer.path}: ${given.error.message}`);
  if (!keepsLargeFiles({ gitFolder: store.folder })) return DONE;
  const from = { name: 'other', url: store.folder };
  return fetchLargeFiles({ repository: { root: clone, gitFolder: clone }, remote: from, talk: {} }, [pointer.commit]);
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
async function addressOf(level: Level, pointer: Pointer & At): Promise<string | null> {
  const name = await nameOf(level, pointer);
  const known = level.settings === null ? [] : await readRepositoryConfig(level.settings);
  const url = known.findLast(({ key }) => key === `submodule.${name ?? ''}.url`)?.value ?? '';
  return url === '' || url.startsWith('-') ? null : url;
}

/** As the list of submodules calls it. */
async function nameOf({ tree }: Level, { name: path, at }: Pointer & At): Promise<string | null> {
  const listed = await git(['config', '--blob', `${at}:.gitmodules`, '--null', '--list'], tree);
  const names = (listed.ok ? listed.value.split('\0') : []).flatMap((entry) => {
    const [, name = '', value = ''] = /^submodule\.(.+)\.path\n(.*)$/s.exec(entry) ?? [];
    return value === path ? [name] : [];
  });
  const name = names[0] ?? null;
  return name === null || normalize(name) !== name || name.startsWith('..') || name.startsWith('/') ? null : name;
}
