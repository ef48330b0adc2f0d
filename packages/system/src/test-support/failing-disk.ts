import type { Disk } from '../disk/disk.ts';

export type Failure = {
  /** Which write point fails, counted from 1. */
  readonly nth: number;
  readonly code: string;
  /** Only that one, or all from it on (the disk stays full). */
  readonly lasts: boolean;
};

export type FailingDisk = Disk & { readonly points: () => number };

/** A disk that fails at its nth write point: creating, writing, syncing, linking or renaming. A failing write has written half. */
export function failingDisk(disk: Disk, { nth, code, lasts }: Failure): FailingDisk {
  let count = 0;
  const isDue = (): boolean => (++count === nth ? true : lasts && count > nth);
  const say = (): never => {
    throw Object.assign(new Error(`${code}: said the failing disk`), { code });
  };
  const guarded = <Args extends ReadonlyArray<unknown>, Result>(work: (...args: Args) => Result) => {
    return (...args: Args): Result => (isDue() ? say() : work(...args));
  };
  return {
    ...disk,
    points: () => count,
    open: (path, flags, mode) => (flags !== 'r' && isDue() ? say() : disk.open(path, flags, mode)),
    write: (fd, bytes, offset) => {
      if (!isDue()) return disk.write(fd, bytes, offset);
      const half = bytes.subarray(0, offset + ((bytes.length - offset) >> 1));
      if (half.length > offset) disk.write(fd, half, offset);
      return say();
    },
    sync: guarded(disk.sync),
    syncFolder: guarded(disk.syncFolder),
    makeFolder: guarded(disk.makeFolder),
    link: guarded(disk.link),
    rename: guarded(disk.rename),
  };
}
