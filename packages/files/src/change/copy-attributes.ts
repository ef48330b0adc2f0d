import { execFile } from 'node:child_process';

const TIMEOUT_MS = 5_000;

/**
 * Gives a file the extended attributes and access list of another. Node can neither read nor set them, so `cp` does; one that is missing
 * or that knows no attributes leaves the file without them, and so does a file system that has none. Never rejects.
 */
export function copyAttributes(from: string, to: string): Promise<void> {
  if (process.platform !== 'linux') return Promise.resolve();
  const args = ['--attributes-only', '--preserve=mode,xattr', '--no-dereference', '--no-target-directory', '--'];
  return new Promise((resolve) => {
    try {
      const paths = [from, to].map(forOthers);
      execFile('/bin/cp', [...args, ...paths], { env: {}, timeout: TIMEOUT_MS }, () => resolve());
    } catch {
      resolve();
    }
  });
}

/** A path through a descriptor of this process, as another process can follow it. */
function forOthers(file: string): string {
  return file.replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
}
