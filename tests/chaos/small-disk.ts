import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export type SmallDisk = { readonly path: string; readonly fill: () => void; readonly free: () => void };

/** A file system of its own in memory; null where that is not allowed. */
export function makeSmallDisk(path: string): SmallDisk | null {
  mkdirSync(path);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=600m,mode=700', 'attractor-test', path]);
  if (mounted.status !== 0) return null;
  onTestFinished(() => void spawnSync('umount', ['--lazy', path]));
  const filler = join(path, 'filler');
  return {
    path,
    fill: () => {
      const { bavail, bsize } = statfsSync(path);
      spawnSync('fallocate', ['-l', String(bavail * bsize), filler]);
    },
    free: () => rmSync(filler, { force: true }),
  };
}
