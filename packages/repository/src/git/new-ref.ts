import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isPackedWith, isPlainRef, keepsRefsInFiles } from './files-of-git.ts';

/**
 * Makes a ref that does not exist yet, in the way in which git does: a lock beside it is written, and becomes it. False: it is there, or the
 * repository keeps its refs in another way, and git must be asked. The commit is known to exist.
 */
export async function makeRefInFiles(gitFolder: string, ref: string, commit: string): Promise<boolean> {
  if (!isPlainRef(ref) || !keepsRefsInFiles(gitFolder) || isPackedWith(gitFolder, ref)) return false;
  const path = join(gitFolder, ref);
  const lock = `${path}.lock`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeLock(lock, `${commit}\n`);
  } catch {
    // Somebody else makes it, or there is a ref where a folder would have to be.
    return false;
  }
  try {
    // Only who has the lock may look.
    if (!existsSync(path) && !isPackedWith(gitFolder, ref)) {
      await rename(lock, path);
      return true;
    }
  } catch {
    // As before.
  }
  await rm(lock, { force: true });
  return false;
}

async function writeLock(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(text);
    await file.datasync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
