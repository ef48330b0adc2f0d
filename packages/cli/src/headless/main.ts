import { runProgram } from '../program.ts';
import { define } from './command.ts';
import { tellFailure } from './failure-line.ts';

/** A command line that is certainly a headless run. The bundler makes one file of everything it needs. */
export function main(argv: ReadonlyArray<string>, inItsWords?: (message: string) => string): Promise<number> {
  return runProgram(argv, define, tellFailure(argv), inItsWords);
}
