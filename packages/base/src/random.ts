import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes from the kernel. `node:crypto` would do as well, but takes 15 ms to load: a sixth of a whole start. */
export function randomHex(bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  return (readKernel(buffer) ? buffer : process.getBuiltinModule('node:crypto').randomBytes(bytes)).toString('hex');
}

function readKernel(buffer: Buffer): boolean {
  let source: number;
  try {
    source = openSync('/dev/urandom', 'r');
  } catch {
    return false;
  }
  try {
    return readSync(source, buffer) === buffer.length;
  } finally {
    closeSync(source);
  }
}
