import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folders that are used for the length of some git commands. */
const SCRATCH = /^attractor-(?:carry|restore|rescue|include|update|lfs)-\w{6}$/;
/** No git command of ours takes as long. */
const OLD_MS = 60 * 60_000;

/** Removes what processes that were killed left among the temporary files: each removes its own otherwise. */
export async function removeOldScratch(folder: string = tmpdir()): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((one) => SCRATCH.test(one))) {
    const at = join(folder, name);
    const stats = await lstat(at).catch(() => null);
    const isOurs = stats?.isDirectory() === true && stats.uid === process.getuid?.();
    if (isOurs && Date.now() - stats.mtimeMs > OLD_MS) await rm(at, { recursive: true, force: true }).catch(() => null);
  }
}
