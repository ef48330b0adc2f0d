/** Bytes up to a mark, which may arrive in pieces; the rest of the mark's line is its trailer. */
export type MarkedStream = {
  readonly push: (chunk: Uint8Array) => void;
  /** Passes on bytes that were held back because they might begin the mark. */
  readonly flush: () => void;
  readonly trailer: () => string;
  /** Resolves when the mark and its line have arrived. */
  readonly ended: Promise<void>;
};

export function createMarkedStream(mark: string, onBytes: (bytes: Uint8Array) => void): MarkedStream {
  const wanted = Buffer.from(mark);
  const { promise, resolve } = Promise.withResolvers<void>();
  let held = Buffer.alloc(0);
  let rest: Buffer | null = null;
  const passOn = (upTo: number): void => {
    if (upTo > 0) onBytes(held.subarray(0, upTo));
    held = held.subarray(Math.max(0, upTo));
  };
  return {
    ended: promise,
    trailer: () => rest?.toString('utf8').split('\n', 1)[0] ?? '',
    flush: () => {
      if (rest === null) passOn(held.length);
    },
    push: (chunk) => {
      if (rest !== null) rest = Buffer.concat([rest, chunk]);
      else {
        held = Buffer.concat([held, chunk]);
        const at = held.indexOf(wanted);
        passOn(at >= 0 ? at : held.length - wanted.length + 1);
        if (at >= 0) rest = Buffer.from(held.subarray(wanted.length));
      }
      if (rest?.includes(0x0a) === true) resolve();
    },
  };
}
