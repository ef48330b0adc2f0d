import { createHash } from 'node:crypto';
import { constants, realpathSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { gitFolderOf, readRepositoryConfig, sharedGitFolder } from '@attractor/git';
import { git } from './repository.ts';

/** What stands in git for a file that Git LFS keeps. */
type Pointer = { readonly oid: string; readonly size: number };

const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-[^\n]+\n)*oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n$/;
/** git-lfs itself takes nothing larger for one. */
const LONGEST_POINTER = 1024;

export async function pointersAmong(worktree: string, names: ReadonlyArray<string>): Promise<ReadonlyArray<string>> {
  const found: string[] = [];
  for (const name of names) if ((await pointerAt(join(worktree, name))) !== null) found.push(name);
  return found;
}

/** Files by their paths from the top of a worktree. Returns those that are still pointers: their contents are not here. */
export async function placeLargeFiles(worktree: string, names: ReadonlyArray<string>): Promise<ReadonlyArray<string>> {
  const objects = await objectsOf(worktree);
  const left: string[] = [];
  const placed: string[] = [];
  for (const name of names) {
    const path = join(worktree, name);
    const pointer = await pointerAt(path);
    if (pointer === null || pointer.size === 0) continue;
    const isPlaced = objects !== null && isWithin(worktree, path) && (await place(objects, path, pointer));
    (isPlaced ? placed : left).push(name);
  }
  if (placed.length > 0) await lookAnew(worktree, placed);
  return left;
}

/** The contents that a pointer stands for, by its text in git. Null: it is none, or they are not here; larger ones are not read. */
export async function readLargeFile(cwd: string, text: string, mostBytes: number): Promise<Buffer | null> {
  const pointer = readPointer(text);
  const objects = pointer === null || pointer.size > mostBytes ? null : await objectsOf(cwd);
  const file = pointer === null || objects === null ? null : await openObject(objects, pointer);
  if (file === null) return null;
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** So that a command line never becomes too long. */
const PATHS_AT_ONCE = 200;

/** Where a file has another size than the index knows, git does not look whether it means the same: the index has to forget the size. */
async function lookAnew(worktree: string, names: ReadonlyArray<string>): Promise<void> {
  for (let at = 0; at < names.length; at += PATHS_AT_ONCE) {
    const some = names.slice(at, at + PATHS_AT_ONCE).map((name) => `:(top,literal)${name}`);
    const listed = await git(['ls-files', '--stage', '--full-name', '-z', '--', ...some], { cwd: worktree });
    if (listed.ok) await git(['update-index', '-z', '--index-info'], { cwd: worktree, stdin: listed.value });
  }
  await git(['update-index', '-q', '--refresh'], { cwd: worktree });
}

/** All worktrees share them. */
async function objectsOf(worktree: string): Promise<string | null> {
  const own = gitFolderOf(worktree);
  const shared = own === null ? null : sharedGitFolder(own);
  if (shared === null) return null;
  const chosen = (await readRepositoryConfig({ cwd: worktree })).findLast(({ key }) => key === 'lfs.storage')?.value;
  return join(resolve(shared, chosen ?? 'lfs'), 'objects');
}

/** No folder on the way is a link that leads elsewhere. */
function isWithin(worktree: string, path: string): boolean {
  try {
    return `${realpathSync(dirname(path))}${sep}`.startsWith(`${realpathSync(worktree)}${sep}`);
  } catch {
    return false;
  }
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function pointerAt(path: string): Promise<Pointer | null> {
  const file = await open(path, READ).catch(() => null);
  if (file === null) return null;
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size >= LONGEST_POINTER) return null;
    return readPointer(await file.readFile('utf8'));
  } finally {
    await file.close();
  }
}

function readPointer(text: string): Pointer | null {
  const [, oid, size = ''] = POINTER.exec(text) ?? [];
  return oid === undefined ? null : { oid, size: Number(size) };
}

const PIECE = 1 << 20;

async function place(objects: string, path: string, pointer: Pointer): Promise<boolean> {
  const from = await openObject(objects, pointer);
  if (from === null) return false;
  try {
    return await replace(path, from, pointer.oid);
  } finally {
    await from.close();
  }
}

type Handle = Awaited<ReturnType<typeof open>>;

/** Commands of agents write among the objects, too: only what its name says is taken, so that no other file is shown or put in a worktree. */
async function openObject(objects: string, { oid, size }: Pointer): Promise<Handle | null> {
  const file = await open(join(objects, oid.slice(0, 2), oid.slice(2, 4), oid), READ).catch(() => null);
  const stats = await file?.stat();
  if (file !== null && stats?.isFile() === true && stats.size === size && (await digestOf(file)) === oid) return file;
  await file?.close();
  return null;
}

async function digestOf(file: Handle): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces(file)) hash.update(piece);
  return hash.digest('hex');
}

async function* pieces(file: Handle): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(PIECE);
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, PIECE, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** If it changed while it was copied, the pointer is back. */
async function replace(path: string, from: Handle, oid: string): Promise<boolean> {
  const before = await open(path, READ);
  const [{ mode }, pointer] = [await before.stat(), await before.readFile()];
  await before.close();
  await rm(path);
  const hash = createHash('sha256');
  let to = await open(path, 'wx', mode & 0o777);
  try {
    for await (const piece of pieces(from)) {
      hash.update(piece);
      await to.writeFile(piece);
    }
  } finally {
    await to.close();
  }
  if (hash.digest('hex') === oid) return true;
  await rm(path);
  to = await open(path, 'wx', mode & 0o777);
  await to.writeFile(pointer);
  await to.close();
  return false;
}
