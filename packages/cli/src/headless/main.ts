import { runProgram } from '../program.ts';
import { define } from './command.ts';
import { tellFailure } from './failure-line.ts';

/** A command line that is a headless run for sure. The bundler makes one file of all that this needs. */
export function main(argv: ReadonlyArray<string>): Promise<number> {
  return runProgram(argv, define, tellFailure(argv));
}
