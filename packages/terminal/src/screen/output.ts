import { constants, openSync, write, writeSync } from 'node:fs';

/** Where frames go. At most one is on its way, so a slow terminal never holds up the process: later ones are joined by who makes them. */
export type Output = {
  readonly isIdle: () => boolean;
  /** Only while idle; `done` is called once the terminal has it all, or has gone away. */
  readonly send: (bytes: string, done: () => void) => void;
  /** For the last words of a process: waits for the terminal. */
  readonly sendNow: (bytes: string) => void;
};

const AGAIN_MS = 5;

/**
 * Writes to the descriptor of a terminal. What the terminal takes at once is written at once, so that a key is shown without a detour; for
 * the rest a thread waits: `process.stdout` would hold up everything.
 */
export function createOutput(descriptor: number): Output {
  let isBusy = false;
  let unwaiting: number | null | undefined;
  return {
    isIdle: () => !isBusy,
    send: (bytes, done) => {
      unwaiting ??= openAgain(descriptor);
      const all = Buffer.from(bytes);
      const left = all.subarray(unwaiting === null ? 0 : writtenAtOnce(unwaiting, all));
      if (left.length === 0) return done();
      isBusy = true;
      writeAll(descriptor, left, () => {
        isBusy = false;
        done();
      });
    },
    sendNow: (bytes) => {
      try {
        writeSync(descriptor, bytes);
      } catch {
        // A terminal that is gone needs no last words.
      }
    },
  };
}

/** The same terminal opened once more: that writing to it never waits must not change it for others that have it. Null: it can't be opened. */
function openAgain(descriptor: number): number | null {
  if (process.platform !== 'linux') return null;
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    return openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return null;
  }
}

function writtenAtOnce(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes);
  } catch {
    // Full, or gone: who waits for it finds out.
    return 0;
  }
}

function writeAll(descriptor: number, bytes: Buffer, done: () => void): void {
  write(descriptor, bytes, (error, written) => {
    if (error?.code === 'EAGAIN' || error?.code === 'EINTR')
      return void setTimeout(() => writeAll(descriptor, bytes, done), AGAIN_MS);
    if (error !== null || written >= bytes.length) return done();
    writeAll(descriptor, bytes.subarray(written), done);
  });
}
