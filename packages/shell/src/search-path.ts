import { closeSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { isInside } from './inside-folder.ts';

/** `foreign`: it lies in the workspace, or where anybody may put a file, and so need not be what its name says. */
export type Program = { readonly path: string; readonly foreign: boolean };

/** Where the shell looks for programs. `isFixed`: no folder of the list lies in the workspace, so that what is found stays the same. */
export type SearchPath = {
  readonly isFixed: boolean;
  readonly find: (name: string, cwd: string) => Program | null;
};

/**
 * As bash looks a name up: the first folder of the list with a file of that name that may be executed. An empty or relative entry is
 * the folder that the command runs in.
 */
export function searchPathOf(list: string, world: World): SearchPath {
  const { folders } = world;
  const entries = list.split(':').map((entry) => entryOf(entry, world));
  const realOnce = remembered(world.realpath);
  const find = (name: string, cwd: string): Program | null => {
    for (const { folder, own, open } of entries) {
      const file = path.join(path.isAbsolute(folder) ? folder : path.resolve(cwd, folder), name);
      if (!(own ? isExecutable(file) : wasExecutable(file))) continue;
      const real = own || open ? null : realOnce(file);
      return { path: file, foreign: own || open || real === null || isOfWorkspace(real, folders) };
    }
    return null;
  };
  return { isFixed: entries.every(({ own }) => !own), find };
}

type World = {
  readonly folders: ReadonlyArray<string>;
  readonly realpath: (path: string) => string | null;
};

/** `own`: it lies in the workspace; `open`: anybody may put a file there. */
type Entry = { readonly folder: string; readonly own: boolean; readonly open: boolean };

function entryOf(folder: string, { folders, realpath }: World): Entry {
  if (!path.isAbsolute(folder)) return { folder, own: true, open: false };
  const real = realpath(folder);
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  return { folder, own: real === null || isOfWorkspace(real, folders), open: (mode & OTHERS_WRITE) !== 0 };
}

/** Where the workspace is the machine itself, or all of `/usr`, its programs are still the machine's. */
function isOfWorkspace(real: string, folders: ReadonlyArray<string>): boolean {
  return folders.some(
    (folder) =>
      isInside(real, folder) && !SYSTEM.some((one) => isInside(real, one) && folder !== one && isInside(one, folder)),
  );
}

const SYSTEM = ['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'];
const OTHERS_WRITE = 0o002;
const EXECUTE = 0o111;

function isExecutable(file: string): boolean {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats !== undefined && stats.isFile() && (stats.mode & EXECUTE) !== 0;
  } catch {
    return false;
  }
}

const MOST_KEPT = 5_000;

/** The name that the first line of a script has `env` look for; null: it is no such script. */
export const interpreterOf = remembered(readInterpreter);

function readInterpreter(file: string): string | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, 'r');
    const bytes = Buffer.alloc(256);
    const line = bytes.toString('latin1', 0, readSync(descriptor, bytes)).split('\n')[0] ?? '';
    return /^#!\s*\S*\/env\s+(?:-\S+\s+|\w+=\S*\s+)*([\w.+-]+)/.exec(line)?.[1] ?? null;
  } catch {
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

const wasExecutable = remembered(isExecutable);

/** Programs outside the workspace are looked up once: many commands are judged, and none of them may change those. */
function remembered<Found>(look: (file: string) => Found): (file: string) => Found {
  const known = new Map<string, Found>();
  return (file) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const found = look(file);
    if (known.size >= MOST_KEPT) known.clear();
    known.set(file, found);
    return found;
  };
}
