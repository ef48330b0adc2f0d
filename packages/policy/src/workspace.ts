import path from 'node:path';
import { defined } from '@attractor/base';
import { checkUnprotected, isInside } from '@attractor/confine';
import type { Variables } from '@attractor/system';
import { realPathOf } from './real-path.ts';
import type { WorkLimit } from './work-limit.ts';

/**
 * The folders that work happens in, as they really are; `named` as they were given. `root` is also where commands start and relative paths count from.
 * `hooks`: folders whose files git runs as hooks, and files that it runs, because a setting names them; looked up for calls that change something.
 */
export type Workspace = {
  readonly root: string;
  readonly home: string;
  readonly folders: ReadonlyArray<string>;
  readonly named: ReadonlyArray<string>;
  readonly hooks: ReadonlyArray<string>;
  readonly containment: Containment;
  readonly limit?: WorkLimit;
  /** Real paths of what is the host's own. */
  readonly hostFiles: ReadonlyArray<string>;
};

/**
 * Why something is refused whatever anybody allows, and what would change that: of file tools by the path that they are given, of commands
 * by where it really leads. Null: it is not. Nobody is asked about what is refused in any case.
 */
export type Containment = {
  readonly tools?: (file: string, access: 'read' | 'write' | 'remove') => string | null;
  readonly commands?: (real: string, access: 'read' | 'write') => string | null;
  /** Of commands by an address of the web that they ask. */
  readonly addresses?: (address: string) => string | null;
  /** Of a tool by all the files that one call changes. */
  readonly together?: (files: ReadonlyArray<string>) => string | null;
};

export function workspaceOf(input: {
  readonly root: string;
  readonly home: string;
  readonly additionalDirectories?: ReadonlyArray<string> | undefined;
  readonly containment?: Containment | undefined;
  readonly limit?: WorkLimit | undefined;
  readonly hostFiles?: ReadonlyArray<string> | undefined;
}): Workspace {
  const named = [input.root, ...(input.additionalDirectories ?? [])].map((folder) => path.resolve(input.root, folder));
  return {
    root: path.resolve(input.root),
    home: path.resolve(input.home),
    folders: named.flatMap((folder) => realPathOf(folder) ?? []),
    named,
    hooks: [],
    containment: input.containment ?? {},
    ...defined({ limit: input.limit }),
    hostFiles: (input.hostFiles ?? []).flatMap((file) => [path.resolve(file), realPathOf(file) ?? []].flat()),
  };
}

export async function withHooks(workspace: Workspace, variables: Variables): Promise<Workspace> {
  const { runByGit } = await import('./git-programs.ts');
  const named = await Promise.all(workspace.folders.map((folder) => runByGit({ folder, variables })));
  return { ...workspace, hooks: named.flat().map((at) => realPathOf(at) ?? at) };
}

/** Whether a path is one of the host's own, or below one, by the name that was asked for or where it really leads. */
export function isHostFile({ hostFiles }: Workspace, asked: string, real: string | null): boolean {
  return hostFiles.some((own) => isInside(own, asked) || (real !== null && isInside(own, real)));
}

/** The folder of the workspace that contains a real path; null if it is outside. */
export function folderAround({ folders }: Workspace, real: string): string | null {
  return folders.find((folder) => isInside(folder, real)) ?? null;
}

/** Below a folder in which git is told to look for hooks, or a file that git is told to run, whatever its name. */
export function isHook({ hooks }: Workspace, folder: string, real: string): boolean {
  return hooks.some((one) => isInside(one, real)) && !isProtected(folder, real);
}

/** Names that other programs obey. Only what is below the workspace's own folder counts: that one may be anywhere. */
export function isProtected(folder: string, real: string): boolean {
  try {
    checkUnprotected(path.relative(folder, real));
    return false;
  } catch {
    return true;
  }
}
