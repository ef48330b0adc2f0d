/**
 * The output of a tool call that is still in a file. For code that reads, copies, compares or writes its object it is a property like any
 * other; its bytes are just not in memory before the first access.
 */
export type ReadOutput = () => string;

/** The holder's own way to its output. Not enumerable, so that a copy has the output itself. */
const READ = Symbol('read output');

type Holder = { [READ]?: ReadOutput };

type WithOutput<Given> = Given & { readonly output: string };

/** Gives the object an output that is read again each time: for records, which are folded and dropped. */
export function defineOutput<Given extends object>(
  holder: Given,
  read: ReadOutput,
): asserts holder is WithOutput<Given> {
  Object.defineProperty(holder, READ, { value: read, configurable: true });
  Object.defineProperty(holder, 'output', ANEW);
}

/** The same, read once: for turns, which are kept. */
export function defineOutputOnce<Given extends object>(
  holder: Given,
  read: ReadOutput,
): asserts holder is WithOutput<Given> {
  Object.defineProperty(holder, READ, { value: read, configurable: true });
  Object.defineProperty(holder, 'output', ONCE);
}

/** How to read the output of an object; null if it is in memory. */
export function lateOutputOf(holder: object & Holder): ReadOutput | null {
  return holder[READ] ?? null;
}

/** One getter for all holders: with a getter each, the engine would give every one its own shape, which takes many times the memory. */
const ANEW = {
  get(this: Holder): string {
    return this[READ]?.() ?? '';
  },
  enumerable: true,
  configurable: true,
};

const ONCE = {
  get(this: Holder): string {
    const value = this[READ]?.() ?? '';
    Object.defineProperty(this, 'output', { value, enumerable: true, configurable: true, writable: true });
    delete this[READ];
    return value;
  },
  enumerable: true,
  configurable: true,
};
