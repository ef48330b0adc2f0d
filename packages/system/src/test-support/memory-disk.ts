import path from 'node:path';
import type { Disk } from '../disk/disk.ts';

/** Decides what a power cut keeps: numbers from 0 up to 1. */
export type Chance = () => number;

export type MemoryDisk = Disk & {
  /** The disk as it may be after a power cut now: unsynced data is there, missing, torn or out of order. */
  readonly afterPowerCut: (chance: Chance) => MemoryDisk;
  readonly files: () => ReadonlyArray<string>;
  readonly content: (file: string) => Buffer;
  readonly put: (file: string, content: Buffer) => void;
};

/** `content` is what programs see; `durable` what certainly survives a power cut; `pending` what was written since. */
type Inode = { content: Buffer; durable: Buffer; pending: { readonly at: number; readonly bytes: Buffer }[] };

type State = {
  readonly names: Map<string, Inode>;
  readonly durableNames: Map<string, Inode>;
  readonly folders: Set<string>;
  readonly durableFolders: Set<string>;
};

/** A disk that loses unsynced data, in the way that file systems are allowed to. */
export function createMemoryDisk(): MemoryDisk {
  const root = new Set(['/']);
  return diskOf({ names: new Map(), durableNames: new Map(), folders: root, durableFolders: new Set(root) });
}

function diskOf(state: State): MemoryDisk {
  const { names, durableNames, folders, durableFolders } = state;
  const open = new Map<number, { readonly inode: Inode; position: number; readonly appends: boolean }>();
  let next = 3;
  const at = (fd: number) => open.get(fd) ?? fail('EBADF');
  const find = (file: string) => names.get(file) ?? fail('ENOENT');
  const sync = (fd: number): void => {
    const { inode } = at(fd);
    inode.durable = Buffer.from(inode.content);
    inode.pending = [];
  };
  return {
    open: (file, flags) => {
      if (!folders.has(path.dirname(file))) fail('ENOENT');
      if (flags === 'wx' && names.has(file)) fail('EEXIST');
      if (flags === 'r') find(file);
      const inode = names.get(file) ?? { content: Buffer.alloc(0), durable: Buffer.alloc(0), pending: [] };
      names.set(file, inode);
      open.set(next, { inode, position: 0, appends: flags.startsWith('a') });
      return next++;
    },
    read: (fd, into, position) => at(fd).inode.content.copy(into, 0, position),
    write: (fd, given, offset) => {
      const handle = at(fd);
      const { inode } = handle;
      const bytes = Buffer.from(given.subarray(offset));
      const place = handle.appends ? inode.content.length : handle.position;
      inode.content = Buffer.concat([inode.content.subarray(0, place), bytes]);
      inode.pending.push({ at: place, bytes });
      handle.position = place + bytes.length;
      return bytes.length;
    },
    size: (fd) => at(fd).inode.content.length,
    sync,
    syncLater: (fd, done) => {
      setImmediate(() => {
        sync(fd);
        done(null);
      });
    },
    close: (fd) => void open.delete(fd),
    syncFolder: (folder) => {
      for (const file of new Set([...names.keys(), ...durableNames.keys()])) {
        if (path.dirname(file) === folder) settle(durableNames, file, names.get(file));
      }
      for (const one of folders) if (path.dirname(one) === folder) durableFolders.add(one);
    },
    makeFolder: (folder) => {
      for (const one of ancestors(folder)) folders.add(one);
    },
    readText: (file) => find(file).content.toString('utf8'),
    modifiedAt: (file) => (find(file), Date.now()),
    touch: (file) => void find(file),
    list: (folder) => {
      if (!folders.has(folder)) fail('ENOENT');
      return [...names.keys()].filter((file) => path.dirname(file) === folder).map((file) => path.basename(file));
    },
    link: (from, to) => {
      if (names.has(to)) fail('EEXIST');
      names.set(to, find(from));
    },
    rename: (from, to) => {
      names.set(to, find(from));
      names.delete(from);
    },
    remove: (file) => {
      find(file);
      names.delete(file);
    },
    afterPowerCut: (chance) => afterPowerCut(state, chance),
    files: () => [...names.keys()],
    content: (file) => find(file).content,
    put: (file, content) => {
      for (const folder of ancestors(path.dirname(file))) folders.add(folder);
      names.set(file, { content, durable: content, pending: [] });
    },
  };
}

function afterPowerCut(state: State, chance: Chance): MemoryDisk {
  const { names, durableNames, folders, durableFolders } = state;
  const kept = new Set(['/']);
  for (const folder of [...folders].toSorted((a, b) => a.length - b.length)) {
    if (kept.has(path.dirname(folder)) && (durableFolders.has(folder) || chance() < 0.5)) kept.add(folder);
  }
  const files = new Map<string, Inode>();
  for (const file of new Set([...names.keys(), ...durableNames.keys()])) {
    const inode = chance() < 0.5 ? names.get(file) : durableNames.get(file);
    if (inode === undefined || !kept.has(path.dirname(file))) continue;
    const content = whatIsLeft(inode, chance);
    files.set(file, { content, durable: content, pending: [] });
  }
  return diskOf({ names: files, durableNames: new Map(files), folders: kept, durableFolders: new Set(kept) });
}

/** Each write since the last sync is there, missing or torn, independent of those before it; a gap reads as zeros. */
function whatIsLeft({ durable, pending }: Inode, chance: Chance): Buffer {
  let left = Buffer.from(durable);
  for (const { at, bytes } of pending) {
    const fate = chance();
    const written = fate < 0.4 ? bytes.subarray(0, 0) : fate < 0.6 ? bytes.subarray(0, chance() * bytes.length) : bytes;
    if (written.length === 0) continue;
    const end = Math.max(left.length, at + written.length);
    left = Buffer.concat([left, Buffer.alloc(end - left.length)]);
    written.copy(left, at);
  }
  return left;
}

function settle(names: Map<string, Inode>, file: string, inode: Inode | undefined): void {
  if (inode === undefined) names.delete(file);
  else names.set(file, inode);
}

function ancestors(folder: string): ReadonlyArray<string> {
  return folder === path.dirname(folder) ? [folder] : [...ancestors(path.dirname(folder)), folder];
}

function fail(code: string): never {
  throw Object.assign(new Error(`${code}: said the memory disk`), { code });
}
