import { readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { entriesOf, namesIn } from '../containment/list-folder.ts';

/**
 * Ways to a program of the host: sockets that somebody listens on, and named pipes. A read-only mount does not close them, so each
 * is covered by an empty file. The kernel lists sockets by the names they were bound to; those that were renamed since, and pipes, are
 * looked for in the given folders.
 */
export type HostSockets = {
  /** Real paths. Costs a fifth of a millisecond. */
  readonly listening: () => ReadonlyArray<string>;
  /** In the folders and below, as far as a look takes a few milliseconds. */
  readonly lyingIn: (folders: ReadonlyArray<string>) => ReadonlyArray<string>;
};

export function findHostSockets(): HostSockets {
  const relative = new Map<string, string | null>();
  const listening = (): ReadonlyArray<string> =>
    boundNames().flatMap(({ name, inode }) => {
      const named = path.isAbsolute(name) ? name : fromItsFolder(name, inode, relative);
      return named === null ? [] : realSocket(named);
    });
  return { listening, lyingIn };
}

/** Most sockets have no name: their lines end with the inode. */
const BOUND = /^\S+ \S+ \S+ \S+ \S+ \S+ +(\d+) ([^@\n].*)$/gm;

type Bound = { readonly name: string; readonly inode: string };

/** `Num RefCount Protocol Flags Type St Inode Path`; names that begin with @ are of the network namespace, which commands have not. */
function boundNames(): ReadonlyArray<Bound> {
  const bound = [...textOf('/proc/net/unix').matchAll(BOUND)].map(
    ([, inode = '', name = '']) => [name, inode] as const,
  );
  return [...new Map(bound)].map(([name, inode]) => ({ name, inode }));
}

/** A name that was given relative to the folder of its process. */
function fromItsFolder(name: string, inode: string, known: Map<string, string | null>): string | null {
  const key = `${inode} ${name}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const folder = namesIn('/proc').find((pid) => /^\d+$/.test(pid) && holdsSocket(pid, inode));
  const found = folder === undefined ? null : path.resolve(linkOf(`/proc/${folder}/cwd`), name);
  known.set(key, found);
  return found;
}

function holdsSocket(pid: string, inode: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return namesIn(folder).some((fd) => linkOf(`${folder}/${fd}`) === `socket:[${inode}]`);
}

function realSocket(named: string): ReadonlyArray<string> {
  try {
    const real = realpathSync.native(named);
    return statSync(real).isSocket() ? [real] : [];
  } catch {
    return [];
  }
}

const MAX_FOLDERS = 400;
const MAX_DEPTH = 4;
const PASSED_OVER = new Set(['node_modules', '.git', 'target', 'vendor', '.venv', 'site-packages', '__pycache__']);

function lyingIn(folders: ReadonlyArray<string>): ReadonlyArray<string> {
  const found: string[] = [];
  let looked = 0;
  let layer = folders;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next: string[] = [];
    for (const folder of layer) {
      if (++looked > MAX_FOLDERS) return found;
      for (const entry of entriesOf(folder)) {
        const at = path.join(folder, entry.name);
        if (entry.isSocket() || entry.isFIFO()) found.push(at);
        else if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) next.push(at);
      }
    }
    layer = next;
  }
  return found;
}

function linkOf(at: string): string {
  try {
    return readlinkSync(at);
  } catch {
    return '';
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
