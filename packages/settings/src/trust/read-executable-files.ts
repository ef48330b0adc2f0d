import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { decodedText, messageOf } from '@attractor/base';
import { EXECUTABLE_PLACES, type ExecutablePlace } from './executable-files.ts';
import { namedFiles } from './named-files.ts';
import { runTexts } from './run-texts.ts';

/** One file, read once: the same bytes are hashed, shown and used. */
export type ExecutableFile = {
  /** From the repository's root, with slashes. */
  readonly path: string;
  readonly what: string;
  readonly content: string;
  readonly sha256: string;
};

export type ExecutableFiles = {
  readonly files: ReadonlyArray<ExecutableFile>;
  /** Files that exist and could not be read whole; while there are any, nothing can be trusted. */
  readonly problems: ReadonlyArray<string>;
};

const MAX_BYTES = 1 << 20;
/** For what hooks and servers run, which may be a compiled program. */
const MAX_PROGRAM_BYTES = 64 << 20;
const MAX_FILES = 1000;
const MAX_FOLDERS = 500;
const MAX_DEPTH = 12;

export function readExecutableFiles(root: string): ExecutableFiles {
  const found = new Map<string, ExecutableFile>();
  const problems = new Set<string>();
  for (const place of EXECUTABLE_PLACES) {
    for (const name of namesOf({ root, problems, entered: new Set(), below: place.below }, place)) {
      if (found.has(name)) continue;
      const read = readWhole(path.join(root, name), MAX_BYTES);
      if (read.content === null) problems.add(`${name} ${read.problem}`);
      else found.set(name, fileOf(name, place.what, read.content));
    }
  }
  for (const name of namedFiles(runTexts([...found.values()]), { root })) {
    if (found.has(name)) continue;
    const read = readWhole(path.join(root, name), MAX_PROGRAM_BYTES);
    if (read.content === null) problems.add(`${name} ${read.problem}`);
    else found.set(name, programOf(name, read.content));
  }
  if (found.size > MAX_FILES) problems.add(`more than ${MAX_FILES} files of configuration: nobody can read them all`);
  const files = [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { files, problems: [...problems] };
}

/** The hash of `[]`; most folders have nothing to hash, and `node:crypto` is slow to load. */
const HASH_OF_NONE = '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945';

/** The same for the same names and bytes. */
export function hashOf(files: ReadonlyArray<ExecutableFile>): string {
  if (files.length === 0) return HASH_OF_NONE;
  return hash('sha256', JSON.stringify(files.map((file) => [file.path, file.sha256])));
}

/** Of these, the files whose bytes are not the trusted ones, by their paths from the root. */
export function changedFiles(names: ReadonlyArray<string>, { root, trusted }: TrustedBytes): ReadonlyArray<string> {
  return names.filter((name) => {
    const read = readWhole(path.join(root, name), MAX_PROGRAM_BYTES);
    return read.content === null || hash('sha256', read.content) !== trusted.get(name);
  });
}

/** A file by its path from the root, with the SHA-256 of its bytes; null if it can't be read whole. */
export function bytesOf(root: string, name: string): ReadonlyArray<readonly [string, string]> | null {
  const { content } = readWhole(path.join(root, name), MAX_PROGRAM_BYTES);
  return content === null ? null : [[name, hash('sha256', content)]];
}

/** `trusted`: the SHA-256 of each file that a person trusted, by its path from the root. */
export type TrustedBytes = { readonly root: string; readonly trusted: ReadonlyMap<string, string> };

function fileOf(name: string, what: string, content: Buffer): ExecutableFile {
  return { path: name, what, content: decodedText(content), sha256: hash('sha256', content) };
}

/** A program that is no text is shown by its size; its hash has every byte. */
function programOf(name: string, content: Buffer): ExecutableFile {
  const file = fileOf(name, 'run or read by a hook, an MCP server, a skill or a command', content);
  const isText = content.length <= MAX_BYTES && !content.includes(0);
  return isText ? file : { ...file, content: `(${content.length} bytes, SHA-256 ${file.sha256})\n` };
}

type Walk = {
  readonly root: string;
  readonly problems: Set<string>;
  readonly entered: Set<string>;
  readonly below: ExecutablePlace['below'];
};

function namesOf(walk: Walk, { place, below }: ExecutablePlace): ReadonlyArray<string> {
  const names = filesAt(walk, place);
  return below === undefined ? names : names.filter((name) => name === place || endsWithOne(name, below));
}

function endsWithOne(name: string, endings: ReadonlyArray<string>): boolean {
  return endings.some((ending) => name.endsWith(ending));
}

/** Links are followed, as by any user of the files; a folder is entered once. What can't be accessed is a problem, never skipped. */
function filesAt(walk: Walk, name: string): ReadonlyArray<string> {
  const full = path.join(walk.root, name);
  try {
    const stats = statSync(full, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (!stats.isDirectory()) return [name];
    const real = realpathSync(full);
    if (walk.entered.has(real)) return [];
    if (walk.entered.size >= MAX_FOLDERS || name.split('/').length > MAX_DEPTH) {
      walk.problems.add(`${name} lies too deep or among too many folders`);
      return [];
    }
    walk.entered.add(real);
    return readdirSync(full)
      .filter((inner) => inner !== 'node_modules' || isAnyFile(walk.below))
      .toSorted()
      .flatMap((inner) => filesAt(walk, `${name}/${inner}`));
  } catch (error) {
    walk.problems.add(`${name} can't be looked at (${messageOf(error)})`);
    return [];
  }
}

/** Where only files with certain endings are obeyed, none of installed packages is. */
function isAnyFile(below: ExecutablePlace['below']): boolean {
  return below?.includes('') === true;
}

type Read = { readonly content: Buffer } | { readonly content: null; readonly problem: string };

/** Never blocks: a pipe is opened without blocking, and is no file. */
function readWhole(file: string, maxBytes: number): Read {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return { content: null, problem: `can't be read (${messageOf(error)})` };
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return { content: null, problem: 'is no file' };
    if (stats.size > maxBytes) return { content: null, problem: `has more than ${maxBytes >> 20} MB` };
    return readAll(fd, stats.size);
  } catch (error) {
    return { content: null, problem: `can't be read (${messageOf(error)})` };
  } finally {
    closeSync(fd);
  }
}

function readAll(fd: number, size: number): Read {
  const bytes = Buffer.alloc(size + 1);
  let length = 0;
  for (let read = 1; read > 0 && length < bytes.length; length += read)
    read = readSync(fd, bytes, length, bytes.length - length, null);
  if (length > size) return { content: null, problem: 'grew while it was read' };
  return { content: bytes.subarray(0, length) };
}
