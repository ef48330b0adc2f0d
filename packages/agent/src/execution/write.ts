import { randomBytes } from 'node:crypto';
import { constants, linkSync, lstatSync, renameSync, unlinkSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { EnvironmentError } from '../types/index.ts';
import { anchorFolder, makeFolders } from '../containment/anchor.ts';
import { checkNewName, checkUnprotected } from '../containment/path-rules.ts';
import { resolveInside, type ResolvedPath } from '../containment/resolve.ts';
import { environmentError, isMissing } from './errno.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

export type Writing = { readonly content: string; readonly expectedVersion?: string | undefined };

/**
 * Replaces or makes a file: the old content or the new, never a mix. Mode and owner stay; a link stays and its target changes;
 * missing folders are made. When it fails nothing of it is left.
 */
export async function writeWhole(root: string, asked: string, writing: Writing): Promise<void> {
  const resolved = resolveInside(root, asked);
  checkUnprotected(resolved.relative);
  if (resolved.stats?.isDirectory() === true) {
    throw new EnvironmentError({ code: 'not_a_file', message: `${asked} is a folder, not a file.` });
  }
  try {
    if (resolved.stats === null) checkNewName(resolved.rest.at(-1) ?? '');
    await replaceInFolder(root, resolved, writing);
  } catch (error) {
    throw environmentError(error, asked);
  }
}

/** Removes a file, or a link itself. */
export async function deleteOne(root: string, asked: string): Promise<void> {
  const resolved = resolveInside(root, asked, { last: 'link' });
  checkUnprotected(resolved.relative);
  if (resolved.stats === null) {
    throw new EnvironmentError({ code: 'not_found', message: `${asked} does not exist: nothing was deleted.` });
  }
  if (resolved.stats.isDirectory()) {
    throw new EnvironmentError({ code: 'not_a_file', message: `${asked} is a folder: only files can be deleted.` });
  }
  try {
    const folder = anchorFolder(root, resolved.folder);
    try {
      unlinkSync(`${folder.at}/${resolved.rest.at(-1) ?? ''}`);
    } finally {
      folder.close();
    }
  } catch (error) {
    throw environmentError(error, asked);
  }
}

/** Renames a file; missing folders of the new name are made, and nothing is overwritten. */
export async function moveOne(root: string, from: string, to: string): Promise<void> {
  const source = resolveInside(root, from, { last: 'link' });
  const target = resolveInside(root, to);
  checkUnprotected(source.relative);
  checkUnprotected(target.relative);
  if (source.stats === null) throw new EnvironmentError({ code: 'not_found', message: `${from} does not exist.` });
  if (target.stats !== null) throw new EnvironmentError({ code: 'changed', message: `${to} exists already.` });
  try {
    checkNewName(target.rest.at(-1) ?? '');
    const newFolder = makeFolders(root, target);
    const oldFolder = anchorFolder(root, source.folder);
    try {
      const newName = `${newFolder.at}/${target.rest.at(-1) ?? ''}`;
      const oldName = `${oldFolder.at}/${source.rest.at(-1) ?? ''}`;
      linkSync(oldName, newName);
      unlinkSync(oldName);
    } catch (error) {
      newFolder.undo();
      throw error;
    } finally {
      newFolder.close();
      oldFolder.close();
    }
  } catch (error) {
    throw environmentError(error, to);
  }
}

async function replaceInFolder(root: string, resolved: ResolvedPath, writing: Writing): Promise<void> {
  const folder = makeFolders(root, resolved);
  const target = `${folder.at}/${resolved.rest.at(-1) ?? ''}`;
  const temporary = `${folder.at}/.attractor-${randomBytes(8).toString('hex')}.tmp`;
  try {
    const before = regularOrNull(target, resolved.relative);
    await writeTemporary(temporary, writing.content, before);
    refuseIfChanged(target, resolved.relative, writing.expectedVersion);
    renameSync(temporary, target);
  } catch (error) {
    removeIfThere(temporary);
    folder.undo();
    throw error;
  } finally {
    folder.close();
  }
}

async function writeTemporary(temporary: string, content: string, like: Stats | null): Promise<void> {
  const handle = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    await handle.writeFile(content);
    if (like !== null) {
      if (like.uid !== process.getuid?.() || like.gid !== process.getgid?.()) await handle.chown(like.uid, like.gid);
      await handle.chmod(like.mode & 0o7777);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What `fileVersion` gives: another file, size or time of writing is another version. */
export function versionOf(file: string): string | null {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

function refuseIfChanged(target: string, name: string, expected: string | undefined): void {
  if (expected === undefined || versionOf(target) === expected) return;
  throw new EnvironmentError({
    code: 'changed',
    message: `${name} changed since it was read: read it again, then repeat the change.`,
  });
}

/** A second look inside the held folder: a link or device that came meanwhile is refused, not followed. */
function regularOrNull(target: string, name: string): Stats | null {
  try {
    const stats = lstatSync(target);
    if (stats.isFile()) return stats;
    throw new EnvironmentError({ code: 'not_a_file', message: `${name} is not a regular file and was not written.` });
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function removeIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Never made, or renamed already.
  }
}
