import { readdirSync, type Dirent } from 'node:fs';
import { resolveInside } from '@attractor/confine';
import { searchPathOf, type Program, type SearchPath } from './search-path.ts';

/** What a judgement asks of the disk. Nothing here runs a program or changes a file. */
export type Disk = {
  /** Where a path really leads, link by link; what is not there keeps its name. Null: that can't be told. */
  readonly realpath: (path: string) => string | null;
  /** Null: it is not a folder, or can't be read. */
  readonly list: (folder: string) => ReadonlyArray<Entry> | null;
  /** The file that the shell would run for a name; null: there is none. */
  readonly program: (name: string, cwd: string) => Program | null;
  /** No program is looked for in the workspace, so that the answers stay the same. */
  readonly hasFixedPrograms: boolean;
};

export type Entry = { readonly name: string; readonly kind: 'file' | 'folder' | 'link' | 'other' };

/** The disk of this machine, as a command would find it. `searchPath` is the PATH that commands get. */
export function diskOf(searchPath: string, folders: ReadonlyArray<string>): Disk {
  const { find, isFixed } = programsOf(searchPath, folders);
  return { realpath: realPathOf, list: listFolder, program: find, hasFixedPrograms: isFixed };
}

function realPathOf(absolute: string): string | null {
  try {
    return resolveInside('/', absolute.replace(/(?<=.)\/+$/, '')).real;
  } catch {
    return null;
  }
}

function listFolder(folder: string): ReadonlyArray<Entry> | null {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  } catch {
    return null;
  }
}

function kindOf(entry: Dirent): Entry['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isDirectory()) return 'folder';
  return entry.isFile() ? 'file' : 'other';
}

let last: { readonly key: string; readonly programs: SearchPath } | null = null;

/** Most commands of a process are judged with one list and one workspace. */
function programsOf(searchPath: string, folders: ReadonlyArray<string>): SearchPath {
  const key = JSON.stringify([searchPath, folders]);
  if (last?.key !== key) last = { key, programs: searchPathOf(searchPath, { folders, realpath: realPathOf }) };
  return last.programs;
}
