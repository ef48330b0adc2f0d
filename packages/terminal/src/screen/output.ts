import { write, writeSync } from 'node:fs';

/** Where frames go. At most one is on its way, so a slow terminal never holds up the process: later ones are joined by who makes them. */
export type Output = {
  readonly isIdle: () => boolean;
  /** Only while idle; `done` is called once the terminal has it all, or has gone away. */
  readonly send: (bytes: string, done: () => void) => void;
  /** For the last words of a process: waits for the terminal. */
  readonly sendNow: (bytes: string) => void;
};

const AGAIN_MS = 5;

/** Writes to a descriptor from a thread of its own: `process.stdout` would wait for the terminal. */
export function createOutput(descriptor: number): Output {
  let isBusy = false;
  return {
    isIdle: () => !isBusy,
    send: (bytes, done) => {
      isBusy = true;
      writeAll(descriptor, Buffer.from(bytes), () => {
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

function writeAll(descriptor: number, bytes: Buffer, done: () => void): void {
  write(descriptor, bytes, (error, written) => {
    if (error?.code === 'EAGAIN' || error?.code === 'EINTR')
      return void setTimeout(() => writeAll(descriptor, bytes, done), AGAIN_MS);
    if (error !== null || written >= bytes.length) return done();
    writeAll(descriptor, bytes.subarray(written), done);
  });
}
