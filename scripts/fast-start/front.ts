import module from 'node:module';
import { costlyWhenUsed } from './costly-when-used.ts';
import { openPacked } from './packed.ts';

/**
 * A command line that begins with a flag names no command: with `-p` it is a headless run, which has its own pack. Nothing at all, or words,
 * is a conversation, if there is a terminal to have it on.
 */
export function programFor(argv: ReadonlyArray<string>, hasTerminal: () => boolean): 'headless' | 'main' | 'terminal' {
  const [first] = argv;
  const isPlainlyHeadless = (first ?? '').startsWith('-') && (argv.includes('-p') || argv.includes('--print'));
  if (isPlainlyHeadless) return 'headless';
  const isTalk = first === undefined || /\s/.test(first) || /^(?:-c|-r|--continue|--resume)$/.test(first);
  return isTalk && hasTerminal() ? 'terminal' : 'main';
}

/** Whether keys can be read and a screen can be drawn. */
export function isAtTerminal(): boolean {
  const { isatty } = process.getBuiltinModule('node:tty');
  return isatty(0) && isatty(1);
}

/** Runs the program of a pack. */
export function runPack(file: string, argv: ReadonlyArray<string>): Promise<number> {
  return openPacked<Program>(file, costlyWhenUsed(module.createRequire(file)))
    .run()
    .main(argv);
}

type Program = { readonly main: (argv: ReadonlyArray<string>) => Promise<number> };
