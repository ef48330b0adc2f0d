/**
 * The output of a tool call that is still in a file. To whoever reads, copies, compares or writes the object that has it, it is a
 * property like any other; only its bytes are not in memory before it is looked at.
 */
export type ReadOutput = () => string;

/** Gives the object an output that is read anew each time: for records, which are folded and forgotten. */
export function defineOutput<Holder extends object>(holder: Holder, read: ReadOutput): Holder {
  return Object.defineProperty(holder, 'output', { get: read, enumerable: true, configurable: true });
}

/** How the output of a record would be read; null where it is in memory. */
export function lateOutputOf(holder: object): ReadOutput | null {
  const { get: read } = { get: null, ...Object.getOwnPropertyDescriptor(holder, 'output') };
  return isRead(read) ? read : null;
}

/** Gives the object an output that is read once: for turns, which are kept. */
export function defineOutputOnce<Holder extends object>(holder: Holder, read: ReadOutput): Holder {
  return defineOutput(holder, () => {
    const value = read();
    Object.defineProperty(holder, 'output', { value, enumerable: true, configurable: true, writable: true });
    return value;
  });
}

function isRead(value: unknown): value is ReadOutput {
  return typeof value === 'function';
}
