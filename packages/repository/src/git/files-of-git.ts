import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

const FULL_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Names that are safe as a path and have no meaning besides: git is asked about others. */
const PLAIN_REF = /^refs\/(?:heads|remotes|attractor)(?:\/(?!\.)[\w.-]+(?<!\.lock|\.))+$/;

const LARGEST_BYTES = 1 << 20;

/**
 * The commit that a full hash or a plain ref means, read from git's own files: a process of git costs a hundred times as much. Null: there is
 * no such ref. Undefined: the files do not say (packed, damaged, kept in another form), and git must be asked.
 */
export function commitInFiles(gitFolder: string, name: string): string | null | undefined {
  if (FULL_HASH.test(name)) return holdsCommit(gitFolder, name) ? name : undefined;
  if (!isPlainRef(name) || !hasFolderOfRefs(gitFolder)) return undefined;
  const path = join(gitFolder, name);
  const written = readPlain(path);
  // What is being packed is in both places for a while, never in none.
  if (written === null) return existsSync(path) || isPacked(gitFolder, name) ? undefined : null;
  const hash = written.toString('latin1').trimEnd();
  return FULL_HASH.test(hash) && holdsCommit(gitFolder, hash) ? hash : undefined;
}

export function isPlainRef(name: string): boolean {
  return PLAIN_REF.test(name) && !name.includes('..');
}

/** Each ref is a file, until it is packed. */
export function keepsRefsInFiles(gitFolder: string): boolean {
  return hasFolderOfRefs(gitFolder) && !existsSync(join(gitFolder, 'reftable'));
}

function hasFolderOfRefs(gitFolder: string): boolean {
  return lstatSync(join(gitFolder, 'refs', 'heads'), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Whether that ref is packed, or one that could not be beside it: above it, or below. True if that can't be told. */
export function isPackedWith(gitFolder: string, ref: string): boolean {
  const packed = join(gitFolder, 'packed-refs');
  const lines = readPlain(packed);
  if (lines === null) return existsSync(packed);
  const above = ref.split('/').map((_part, at, parts) => parts.slice(0, at + 1).join('/'));
  return lines.includes(` ${ref}/`) || above.some((name) => lines.includes(` ${name}\n`));
}

function isPacked(gitFolder: string, ref: string): boolean {
  if (existsSync(join(gitFolder, 'reftable'))) return true;
  const packed = join(gitFolder, 'packed-refs');
  const lines = readPlain(packed);
  return lines === null ? existsSync(packed) : lines.includes(` ${ref}\n`);
}

function holdsCommit(gitFolder: string, hash: string): boolean {
  return readCommit(gitFolder, hash) !== null;
}

/** The tree of a commit, if the files say. */
export function treeInFiles(gitFolder: string, commit: string): string | null {
  return /^commit \d+\0tree (\w+)\n/.exec(readCommit(gitFolder, commit) ?? '')?.[1] ?? null;
}

/** The commit, if it lies there by itself, whole: its name is the digest of its contents. */
export function readCommit(gitFolder: string, hash: string): string | null {
  if (!FULL_HASH.test(hash)) return null;
  const deflated = readPlain(join(gitFolder, 'objects', hash.slice(0, 2), hash.slice(2)));
  if (deflated === null) return null;
  try {
    const contents = inflateSync(deflated, { maxOutputLength: LARGEST_BYTES, chunkSize: roomFor(deflated) });
    const digest = createHash(hash.length === 40 ? 'sha1' : 'sha256').update(contents);
    const text = contents.toString('latin1');
    return text.startsWith('commit ') && digest.digest('hex') === hash ? text : null;
  } catch {
    return null;
  }
}

/** A commit is small: 16 KB for each, as usual, would be most of what a server takes and gives back. */
function roomFor(deflated: Buffer): number {
  return Math.min(16_384, Math.max(512, deflated.length * 4));
}

/** Null for what is not there, is no file of its own, or is larger than it should be. */
export function readPlain(path: string): Buffer | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= LARGEST_BYTES ? readFileSync(file) : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
