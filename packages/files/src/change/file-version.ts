import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';

const HASHED_BYTES = 1 << 20;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * The value of `fileVersion`: null if nothing exists. Two files of the same content have the same version, so a mere touch is no change;
 * for a file that is too long to read every time, the version is its identity, size and modification time. `looked`: the stats, if the
 * caller has them.
 */
export function versionOf(file: string, looked = lstatSync(file, { throwIfNoEntry: false })): string | null {
  const isHashed = looked?.isFile() === true && looked.size <= HASHED_BYTES;
  return (isHashed ? contentVersion(file) : null) ?? identityOf(file);
}

function identityOf(file: string): string | null {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : identity(stats);
}

type Identity = { readonly dev: bigint; readonly ino: bigint; readonly size: bigint; readonly mtimeNs: bigint };

function identity({ dev, ino, size, mtimeNs }: Identity): string {
  return `${dev}:${ino}:${size}:${mtimeNs}`;
}

/** Null if it can't be read, or just changed. */
function contentVersion(file: string): string | null {
  try {
    const fd = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      return stats.isFile() && stats.size <= HASHED_BYTES ? hash('sha256', readFileSync(fd), 'base64url') : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}
