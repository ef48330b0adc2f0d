import { accessSync, constants, copyFileSync, linkSync, lstatSync, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { AnchoredFolder } from '../containment/anchor.ts';
import { EnvironmentError } from '../types/index.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY, W_OK } = constants;

/** A name in a held folder. */
export type Spot = { readonly folder: AnchoredFolder; readonly name: string };

export function at({ folder, name }: Spot): string {
  return `${folder.at}/${name}`;
}

/** A look inside the held folder: a link, folder or device is refused, not followed; so is what may not be written. */
export function writableOrNull(spot: Spot, name: string): Stats | null {
  const stats = lstatSync(at(spot), { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile()) {
    throw new EnvironmentError({ code: 'not_a_file', message: `${name} is not a regular file and was not changed.` });
  }
  accessSync(at(spot), W_OK);
  return stats;
}

/** Writes and syncs the new content beside its place, with mode and owner of `like`. */
export async function writeTemporary(file: string, content: string, like: Stats | null): Promise<void> {
  const handle = await open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    await handle.writeFile(content);
    if (like !== null) await makeLike(handle, like);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Where the owner can't be kept, neither are the bits that would lend the new owner's rights to whoever runs the file. */
async function makeLike(handle: FileHandle, like: Stats): Promise<void> {
  const own = await handle.stat();
  const isOwned =
    (own.uid === like.uid && own.gid === like.gid) ||
    (await allowed(handle.chown(like.uid, like.gid))) ||
    ((await allowed(handle.chown(own.uid, like.gid))) && own.uid === like.uid);
  await handle.chmod(like.mode & (isOwned ? 0o7777 : 0o777));
}

async function allowed(change: Promise<void>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EPERM' || error.code === 'EINVAL')) return false;
    throw error;
  }
}

/** A second name of the same file, or a copy of it where the file system has no such names. */
export function duplicate(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && NO_LINKS.has(String(error.code)))) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** The names in the folder, as they are now, survive a power cut. */
export async function syncFolder(folder: AnchoredFolder): Promise<void> {
  const handle = await open(folder.at, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EINVAL')) throw error;
  } finally {
    await handle.close();
  }
}
