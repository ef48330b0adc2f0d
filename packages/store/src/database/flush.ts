import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';

/**
 * Puts what was written to a file onto the disk, beside everything else that the process does. Whoever asks gets an answer from a flush
 * that began after the question; all who ask during one share the next. After a failed one nothing is answered any more: the system may
 * have dropped what it could not write, and a later success would say nothing about that.
 */
export type Flush = {
  readonly all: () => Promise<void>;
  /** For who wrote nothing but may have read what somebody is flushing. */
  readonly underWay: () => Promise<void> | null;
  readonly close: () => Promise<void>;
};

export function createFlush(path: string, files: FlushedFiles = NODE_FILES): Flush {
  let file: Promise<number> | null = null;
  let current: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    next = null;
    file ??= files.open(path);
    // A failed one stays, and with it everything that is asked later.
    current = file.then(files.flush).then(() => {
      if (next === null) current = null;
    });
    return current;
  };
  return {
    all: () => {
      if (current === null) return begin();
      next ??= current.then(begin);
      return next;
    },
    underWay: () => next ?? current,
    close: async () => {
      await (next ?? current)?.catch(() => undefined);
      const open = file;
      // A second call must not close what meanwhile has its number.
      file = null;
      await open?.then(files.close, () => undefined);
    },
  };
}

export type FlushedFiles = {
  readonly open: (path: string) => Promise<number>;
  readonly flush: (file: number) => Promise<void>;
  readonly close: (file: number) => Promise<void>;
};

const NODE_FILES: FlushedFiles = {
  open: (path) => promisify(open)(path, 'r'),
  // Asked for with every commit: making a function for it each time would take longer than the call.
  flush: (file) =>
    new Promise((resolve, reject) => {
      fdatasync(file, (error) => (error === null ? resolve() : reject(error)));
    }),
  close: (file) => promisify(close)(file),
};
