import { join } from 'node:path';

/** A program that behaves like a coding agent on one of the wires, in the words of the suite. */
export function scriptedProgram(wire: string, behaviour: string): readonly [string, ...string[]] {
  return [process.execPath, join(import.meta.dirname, '../test-support/fake-agent-child.ts'), wire, behaviour];
}
