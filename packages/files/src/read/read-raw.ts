import { readFile } from 'node:fs';
import { promisify } from 'node:util';
import { EnvironmentError } from '@attractor/system';
import { withOpenFile } from './open-file.ts';
import { refuseBinary } from './read-lines.ts';

const MAX_BYTES = 50 << 20;

/** The whole content, for editors. A file that is not valid UTF-8 is refused: writing it back would damage it. */
export async function readWholeText(root: string, asked: string, signal?: AbortSignal): Promise<string> {
  const bytes = await readWholeBytes(root, asked, signal);
  refuseBinary(bytes, asked);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EnvironmentError({
      code: 'binary',
      message: `${asked} is not valid UTF-8 text: change it with a program made for its encoding.`,
    });
  }
}

export function readWholeBytes(root: string, asked: string, signal?: AbortSignal): Promise<Uint8Array> {
  return withOpenFile(root, asked, async ({ fd, stats }) => {
    if (stats.size > MAX_BYTES) {
      throw new EnvironmentError({
        code: 'too_large',
        message: `${asked} has ${stats.size} bytes; at most ${MAX_BYTES} can be read whole. Read parts of it with offset and limit.`,
      });
    }
    signal?.throwIfAborted();
    return promisify(readFile)(fd);
  });
}
