import path from 'node:path';
import type { GitFolder } from '../guard/git-harm.ts';
import type { Survey } from '../guard/survey.ts';
import { isInside } from '../containment/resolve.ts';
import { type GitMounts, gitMounts, ownGit, repositoryAround, storeMounts, storeOf } from './git-mounts.ts';
import type { Mount } from './mounts.ts';

/** Protected names that are there, unchangeable; what is not there yet is the guard's. */
export type ProtectedNames = { readonly mounts: ReadonlyArray<Mount>; readonly gits: ReadonlyArray<GitFolder> };

/** Every mount costs time. The nearest come first. */
const MAX_NESTED = 64;

export type ProtectOptions = {
  readonly roots: ReadonlyArray<string>;
  readonly isOwn: (git: string) => boolean;
  readonly isAllowed: (at: string) => boolean;
};

export function protectedMounts({ names, bare }: Survey, { roots, isOwn, isAllowed }: ProtectOptions): ProtectedNames {
  const mounts: Mount[] = [];
  const gits: GitFolder[] = [];
  const add = (found: GitMounts): void => {
    mounts.push(...found.mounts);
    gits.push(...found.gits);
  };
  let nested = 0;
  // Before worktrees and submodules of theirs, of which more can be changed.
  const led = [...names.keys()].flatMap((at) => (path.basename(at) === '.git' ? (storeOf(at) ?? []) : []));
  for (const at of new Set([...bare, ...led.filter((one) => !names.has(one))])) {
    if (isOwn(at)) gits.push(ownGit(at));
    else if (!isAllowed(at) && roots.some((root) => isInside(root, at)) && ++nested <= MAX_NESTED) add(storeMounts(at));
  }
  for (const [at, { link }] of names) {
    const folder = path.dirname(at);
    if (link !== null || isAllowed(at)) continue;
    if (isOwn(at)) gits.push(ownGit(at));
    else if (!roots.includes(folder) && ++nested > MAX_NESTED) continue;
    else if (path.basename(at) === '.git') add(gitMounts(folder));
    else mounts.push({ at, as: 'read-only' });
  }
  for (const around of roots.flatMap((root) => repositoryAround(root) ?? [])) add(gitMounts(around));
  return { mounts, gits };
}
