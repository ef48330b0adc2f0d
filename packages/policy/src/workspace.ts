import path from 'node:path';
import { checkUnprotected, isInside } from '@attractor/confine';

import { namedHooksFolder } from './git-programs.ts';
import { realPathOf } from './real-path.ts';

/** The folders that work happens in. `root` is also where commands start and relative paths count from. */
export type Workspace = { readonly root: string; readonly home: string; readonly folders: ReadonlyArray<string> };

export function workspaceOf(input: {
  readonly root: string;
  readonly home: string;
  readonly additionalDirectories?: ReadonlyArray<string> | undefined;
}): Workspace {
  const named = [input.root, ...(input.additionalDirectories ?? [])].map((folder) => path.resolve(input.root, folder));
  return {
    root: path.resolve(input.root),
    home: path.resolve(input.home),
    folders: named.flatMap((folder) => realPathOf(folder) ?? []),
  };
}

/** The folder of the workspace that a real path lies in; null when it lies outside. */
export function folderAround({ folders }: Workspace, real: string): string | null {
  return folders.find((folder) => isInside(folder, real)) ?? null;
}

/** Below the folder that the repository around the workspace names for its hooks, whatever that is called. */
export function isHook(folder: string, real: string): boolean {
  const hooks = namedHooksFolder(folder);
  return hooks !== null && isInside(realPathOf(hooks) ?? hooks, real) && !isProtected(folder, real);
}

/** Names that other programs obey. Only what is below the workspace's own folder counts: that one may lie anywhere. */
export function isProtected(folder: string, real: string): boolean {
  try {
    checkUnprotected(path.relative(folder, real));
    return false;
  } catch {
    return true;
  }
}
