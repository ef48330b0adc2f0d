import module from 'node:module';
import { costlyWhenUsed } from './costly-when-used.ts';
import { openPacked } from './packed.ts';

/** A command line that begins with a flag names no command: with `-p` it is a headless run, which has its own pack. */
export function programFor(argv: ReadonlyArray<string>): 'headless' | 'main' {
  const isPlainlyHeadless = (argv[0] ?? '').startsWith('-') && (argv.includes('-p') || argv.includes('--print'));
  return isPlainlyHeadless ? 'headless' : 'main';
}

/** Runs the program of a pack. */
export function runPack(file: string, argv: ReadonlyArray<string>): Promise<number> {
  return openPacked<Program>(file, costlyWhenUsed(module.createRequire(file)))
    .run()
    .main(argv);
}

type Program = { readonly main: (argv: ReadonlyArray<string>) => Promise<number> };
