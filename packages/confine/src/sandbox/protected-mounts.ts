import path from 'node:path';
import type { GitFolder } from '../guard/git-harm.ts';
import type { Survey } from '../guard/survey.ts';
import { gitMounts, ownGit, repositoryAround } from './git-mounts.ts';
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
  const addGit = (folder: string): void => {
    const found = gitMounts(folder);
    mounts.push(...found.mounts);
    gits.push(...found.gits);
  };
  let nested = 0;
  for (const [at, { link }] of names) {
    const folder = path.dirname(at);
    if (link !== null || isAllowed(at)) continue;
    if (isOwn(at)) gits.push(ownGit(at));
    else if (!roots.includes(folder) && ++nested > MAX_NESTED) continue;
    else if (path.basename(at) === '.git') addGit(folder);
    else mounts.push({ at, as: 'read-only' });
  }
  for (const at of bare) if (isOwn(at)) gits.push(ownGit(at));
  for (const around of roots.flatMap((root) => repositoryAround(root) ?? [])) addGit(around);
  return { mounts, gits };
}
