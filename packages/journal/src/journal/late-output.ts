/**
 * The output of a tool call that is still in a file. To whoever reads, copies, compares or writes the object that has it, it is a
 * property like any other; only its bytes are not in memory before it is looked at.
 */
export type ReadOutput = () => string;

/** The holder's own way to its output. Not enumerable, so that a copy has the output itself. */
const READ = Symbol('read output');

type Holder = { [READ]?: ReadOutput };

type WithOutput<Given> = Given & { readonly output: string };

/** Gives the object, which has none, an output that is read anew each time: for records, which are folded and forgotten. */
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

/** How the output of an object would be read; null where it is in memory. */
export function lateOutputOf(holder: object & Holder): ReadOutput | null {
  return holder[READ] ?? null;
}

/** One getter for all holders: with a getter each, no two would be of one shape to the engine, which takes it many times the memory. */
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
