import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { promisify } from 'node:util';
import type { AnchoredFolder } from '@attractor/confine';
import { EnvironmentError } from '@attractor/system';
import { copyAttributes } from './copy-attributes.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY, W_OK } = constants;

/** A name in a held folder. */
export type HeldEntry = { readonly folder: AnchoredFolder; readonly name: string };

export function at({ folder, name }: HeldEntry): string {
  return `${folder.at}/${name}`;
}

/** Looks inside the held folder: a link, folder or device is refused, not followed; so is a file that may not be written. */
export function writableOrNull(spot: HeldEntry, name: string): Stats | null {
  const stats = lstatSync(at(spot), { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile()) {
    throw new EnvironmentError({ code: 'not_a_file', message: `${name} is not a regular file and was not changed.` });
  }
  accessSync(at(spot), W_OK);
  return stats;
}

/** What a new file should be like, apart from its content. */
export type FileTemplate = { readonly file: string; readonly stats: Stats };

/**
 * Writes and syncs the new content beside its place, with the mode, owner and attributes of `like`. Only the sync is worth leaving the
 * thread for, and attributes are copied meanwhile; mode and owner come last, so that they are correct even if attributes are lost.
 */
export async function writeTemporary(file: string, content: string, like: FileTemplate | null): Promise<void> {
  const fd = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    writeFileSync(fd, content);
    if (like !== null) makeLike(fd, like.stats);
    await Promise.all([sync(fd), like === null ? null : copyAttributes(like.file, file)]);
    if (like !== null) makeLike(fd, like.stats);
  } finally {
    closeSync(fd);
  }
}

const sync = promisify(fsync);

/** If the owner can't be kept, neither are the setuid and setgid bits, which would lend the new owner's rights. */
function makeLike(fd: number, like: Stats): void {
  const own = fstatSync(fd);
  const isOwned =
    (own.uid === like.uid && own.gid === like.gid) ||
    isAllowed(() => fchownSync(fd, like.uid, like.gid)) ||
    (isAllowed(() => fchownSync(fd, own.uid, like.gid)) && own.uid === like.uid);
  fchmodSync(fd, like.mode & (isOwned ? 0o7777 : 0o777));
}

function isAllowed(change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EPERM' || error.code === 'EINVAL')) return false;
    throw error;
  }
}

/** A hard link to the file, or a copy if the file system has none. */
export function duplicate(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && NO_LINKS.has(String(error.code)))) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** The current names in the folder survive a power cut. */
export async function syncFolder(folder: AnchoredFolder): Promise<void> {
  const fd = openSync(folder.at, O_RDONLY | O_DIRECTORY);
  try {
    await sync(fd);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EINVAL')) throw error;
  } finally {
    closeSync(fd);
  }
}
