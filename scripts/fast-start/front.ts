import module from 'node:module';
import { openCompiled } from './compiled.ts';

/** A command line that begins with a flag names no command: with `-p` it is a headless run, which has its own file. */
export function isPlainlyHeadless(argv: ReadonlyArray<string>): boolean {
  return (argv[0] ?? '').startsWith('-') && (argv.includes('-p') || argv.includes('--print'));
}

/** Runs that file. CommonJS is required, since importing it would scan it for exports. */
export function runHeadless(file: string, argv: ReadonlyArray<string>): Promise<number> {
  return openCompiled<Headless>(file, module.createRequire(file)).run().main(argv);
}

type Headless = { readonly main: (argv: ReadonlyArray<string>) => Promise<number> };
