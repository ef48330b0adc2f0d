import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { EnvironmentError } from '../types/index.ts';
import { realPathOfDescriptor, swapped } from '../containment/anchor.ts';
import { resolveInside } from '../containment/resolve.ts';
import { environmentError } from './errno.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

export type OpenFile = { readonly handle: FileHandle; readonly stats: Stats };

/** Opens a regular file inside the root for reading and hands it to `use`; a pipe or device is refused without waiting for it. */
export async function withOpenFile<T>(root: string, asked: string, use: (file: OpenFile) => Promise<T>): Promise<T> {
  const { real } = resolveInside(root, asked);
  try {
    const handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (stats.isDirectory()) throw notAFile(asked, 'a folder, not a file: list it instead');
      if (!stats.isFile()) throw notAFile(asked, 'not a regular file');
      const opened = realPathOfDescriptor(handle.fd);
      if (opened !== null && opened !== real) throw swapped(asked);
      return await use({ handle, stats });
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw environmentError(error, asked);
  }
}

function notAFile(asked: string, what: string): EnvironmentError {
  return new EnvironmentError({ code: 'not_a_file', message: `${asked} is ${what}.` });
}
