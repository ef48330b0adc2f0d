import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { environmentError, EnvironmentError } from '@attractor/system';
import { realPathOfDescriptor, resolveInside, swapped } from '@attractor/confine';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

export type OpenFile = { readonly fd: number; readonly stats: Stats };

/** How often a file may be replaced during the operation (by an editor that saves) before we give up. */
const ATTEMPTS = 5;

/**
 * Opens a regular file inside the root for reading and passes it to `use`. A pipe, socket or device is refused without being opened. The
 * opened file is the one that was resolved, or nothing is read. Opening stays on this thread: the round trip to another takes longer.
 */
export async function withOpenFile<T>(root: string, asked: string, use: (file: OpenFile) => Promise<T>): Promise<T> {
  try {
    const fd = openResolved(root, asked, ATTEMPTS);
    try {
      const stats = fstatSync(fd);
      refuseUnlessFile(stats, asked);
      return await use({ fd, stats });
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw environmentError(error, asked);
  }
}

function openResolved(root: string, asked: string, attempts: number): number {
  const { real, stats } = resolveInside(root, asked);
  if (stats !== null) refuseUnlessFile(stats, asked);
  const fd = openSync(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const opened = realPathOfDescriptor(fd);
  if (opened === null || opened === real) return fd;
  closeSync(fd);
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
