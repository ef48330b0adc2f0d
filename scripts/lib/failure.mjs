/** A failure that a person can fix: its message says how, and it is shown without a stack. */
export class Failure extends Error {
  name = 'Failure';
}

export function exitWith(error) {
  process.stderr.write(`${error instanceof Failure ? error.message : error.stack}\n`);
  process.exit(1);
}
