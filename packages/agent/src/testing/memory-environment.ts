import path from 'node:path';
import { formatMatches, meantBy, searchText } from '@attractor/files/testing';

import {
  EnvironmentError,
  type DirEntry,
  type ExecOptions,
  type ExecResult,
  type ExecutionEnvironment,
  type GrepOptions,
  type OperationOptions,
  type WriteOptions,
} from '../types/index.ts';

export type MemoryEnvironmentOptions = {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** What commands do. Absent: every command is unknown (exit code 127). */
  readonly onCommand?: (command: string, options: ExecOptions) => Partial<ExecResult> | Promise<Partial<ExecResult>>;
};

/** `files` returns the current files, by path from the working directory. */
export type MemoryEnvironment = ExecutionEnvironment & { readonly files: () => Readonly<Record<string, string>> };

const ROOT = '/memory';

/** Files in memory and commands as a function: nothing touches the disk, nothing is started. */
export function createMemoryEnvironment(options: MemoryEnvironmentOptions = {}): MemoryEnvironment {
  const disk = createDisk(options.files ?? {});
  return {
    ...disk.faces,
    execCommand: async (command: string, second?: number | ExecOptions) => {
      const asked = typeof second === 'object' ? second : {};
      refuseAborted(asked.signal);
      const answer = (await options.onCommand?.(command, asked)) ?? { exitCode: 127, stderr: `${command}: not found` };
      return { stdout: '', stderr: '', exitCode: 0, timedOut: false, durationMs: 0, ...answer };
    },
    initialize: async () => undefined,
    cleanup: async () => undefined,
    workingDirectory: () => ROOT,
    platform: () => 'memory',
    osVersion: () => '1',
    files: disk.texts,
  };
}

type Stored = { readonly bytes: Uint8Array; readonly version: number };

type Faces = Pick<
  ExecutionEnvironment,
  | 'readFile'
  | 'readText'
  | 'readBytes'
  | 'writeFile'
  | 'deleteFile'
  | 'fileExists'
  | 'fileVersion'
  | 'listDirectory'
  | 'grep'
  | 'glob'
>;

type Disk = { readonly faces: Faces; readonly texts: MemoryEnvironment['files'] };

function createDisk(initial: Readonly<Record<string, string | Uint8Array>>): Disk {
  const stored = new Map<string, Stored>();
  let version = 0;
  const put = (name: string, content: string | Uint8Array): void => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    stored.set(name, { bytes, version: ++version });
  };
  for (const [name, content] of Object.entries(initial)) put(inside(name), content);
  const find = (asked: string, { signal }: OperationOptions = {}): Stored => {
    refuseAborted(signal);
    const file = stored.get(inside(asked));
    if (file === undefined) throw missing(asked);
    return file;
  };
  const text = (asked: string, options?: OperationOptions): string => decode(find(asked, options).bytes);
  const under = (asked: string): ReadonlyArray<string> => {
    const folder = inside(asked);
    const names = [...stored.keys()].toSorted();
    return folder === '' ? names : names.filter((name) => name === folder || name.startsWith(`${folder}/`));
  };
  const faces: Faces = {
    readFile: async (asked, offset = 0, limit, options) => numbered(text(asked, options), offset, limit),
    readText: async (asked, options) => text(asked, options),
    readBytes: async (asked, options) => find(asked, options).bytes.slice(),
    writeFile: async (asked, content, options: WriteOptions = {}) => {
      refuseAborted(options.signal);
      const now = stored.get(inside(asked));
      if (options.expectedVersion !== undefined && String(now?.version) !== options.expectedVersion)
        throw changed(asked);
      put(inside(asked), content);
    },
    deleteFile: async (asked, options) => {
      find(asked, options);
      stored.delete(inside(asked));
    },
    fileExists: async (asked) => under(asked).length > 0,
    fileVersion: async (asked) => stored.get(inside(asked))?.version.toString() ?? null,
    listDirectory: async (asked, depth = 1) => entriesOf(under(asked), { folder: inside(asked), depth, stored }),
    grep: async (pattern, asked, options) => search(under(asked), { pattern, options, text }),
    glob: async (pattern, asked, options) => {
      refuseAborted(options?.signal);
      const folder = inside(asked);
      return under(asked).filter((name) => path.matchesGlob(path.posix.relative(folder, name), pattern));
    },
  };
  return { faces, texts: () => Object.fromEntries([...stored].map(([name, { bytes }]) => [name, decode(bytes)])) };
}

/** The path from the working directory; '' for the directory itself. */
function inside(asked: string): string {
  const name = path.posix.relative(ROOT, path.posix.resolve(ROOT, asked));
  if (name === '..' || name.startsWith('../')) {
    throw new EnvironmentError({ code: 'outside', message: `${asked} is outside the working directory ${ROOT}.` });
  }
  return name;
}

function numbered(text: string, offset: number, limit: number | undefined): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return lines
    .slice(offset, limit === undefined ? undefined : offset + limit)
    .map((line, index) => `${String(offset + index + 1).padStart(6)}\t${line}`)
    .join('\n');
}

type Listing = { readonly folder: string; readonly depth: number; readonly stored: ReadonlyMap<string, Stored> };

function entriesOf(names: ReadonlyArray<string>, { folder, depth, stored }: Listing): ReadonlyArray<DirEntry> {
  if (names.length === 0 && folder !== '') throw missing(folder);
  const entries = new Map<string, DirEntry>();
  for (const name of names) {
    const parts = path.posix.relative(folder, name).split('/');
    for (let length = 1; length <= Math.min(depth, parts.length); length++) {
      const isDir = length < parts.length;
      const entry = parts.slice(0, length).join('/');
      entries.set(entry, { name: entry, isDir, size: isDir ? null : (stored.get(name)?.bytes.length ?? null) });
    }
  }
  return [...entries.values()];
}

type Search = {
  readonly pattern: string;
  readonly options: GrepOptions | undefined;
  readonly text: (name: string) => string;
};

/** Uses the options of a real search, with the same meaning. */
function search(names: ReadonlyArray<string>, { pattern, options = {}, text }: Search): string {
  refuseAborted(options.signal);
  const { includePattern } = options;
  const isMeant = meantBy(options);
  const isIncluded = (name: string): boolean =>
    includePattern === undefined || path.matchesGlob(path.posix.basename(name), includePattern);
  const found = names
    .filter((name) => isIncluded(name) && isMeant(name))
    .flatMap((file) => searchText({ file, text: text(file) }, { pattern, options }));
  return formatMatches(found, options);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new EnvironmentError({ code: 'aborted', message: 'Stopped before it began.' });
}

function missing(asked: string): EnvironmentError {
  return new EnvironmentError({ code: 'not_found', message: `There is no ${asked}: look for it with glob.` });
}

function changed(asked: string): EnvironmentError {
  return new EnvironmentError({ code: 'changed', message: `${asked} changed since it was read: read it again.` });
}
