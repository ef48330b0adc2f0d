import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { EnvironmentError } from '../types/index.ts';
import { realPathOfDescriptor, swapped } from '../containment/anchor.ts';
import { resolveInside } from '../containment/resolve.ts';
import { environmentError } from './errno.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

export type OpenFile = { readonly handle: FileHandle; readonly stats: Stats };

/** How often a file may be replaced under our hands (an editor that saves) before we give up. */
const ATTEMPTS = 5;

/**
 * Opens a regular file inside the root for reading and hands it to `use`. A pipe, socket or device is refused without
 * being opened. The opened file is the one that was resolved, or nothing is read.
 */
export async function withOpenFile<T>(root: string, asked: string, use: (file: OpenFile) => Promise<T>): Promise<T> {
  try {
    const handle = await openResolved(root, asked, ATTEMPTS);
    try {
      const stats = await handle.stat();
      refuseUnlessFile(stats, asked);
      return await use({ handle, stats });
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw environmentError(error, asked);
  }
}

async function openResolved(root: string, asked: string, attempts: number): Promise<FileHandle> {
  const { real, stats } = resolveInside(root, asked);
  if (stats !== null) refuseUnlessFile(stats, asked);
  const handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const opened = realPathOfDescriptor(handle.fd);
  if (opened === null || opened === real) return handle;
  await handle.close();
  if (attempts <= 1) throw swapped(asked);
  return openResolved(root, asked, attempts - 1);
}

function refuseUnlessFile(stats: Stats, asked: string): void {
  if (stats.isDirectory()) throw notAFile(asked, 'a folder, not a file: list it instead');
  if (!stats.isFile()) throw notAFile(asked, `${kindOf(stats)}, not a regular file`);
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

function notAFile(asked: string, what: string): EnvironmentError {
  return new EnvironmentError({ code: 'not_a_file', message: `${asked} is ${what}.` });
}
