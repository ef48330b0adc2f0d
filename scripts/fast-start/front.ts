import module from 'node:module';
import { costlyWhenUsed } from './costly-when-used.ts';
import { openPacked, type Packed } from './packed.ts';

/**
 * A command line that begins with a flag names no command: with `-p` it is a headless run, which has its own pack. Nothing at all, words, or
 * flags without one that asks for lines or help is a conversation, if there is a terminal to have it on.
 */
export function programFor(argv: ReadonlyArray<string>, hasTerminal: () => boolean): 'headless' | 'main' | 'terminal' {
  const [first] = argv;
  const isPlainlyHeadless = (first ?? '').startsWith('-') && (argv.includes('-p') || argv.includes('--print'));
  if (isPlainlyHeadless) return 'headless';
  const isFlagged = (first ?? '').startsWith('-') && !argv.some((word) => FOR_OTHERS.test(word));
  const isTalk = first === undefined || /\s/.test(first) || isFlagged;
  return isTalk && hasTerminal() ? 'terminal' : 'main';
}

/** For lines without a terminal, for the help of the command or its version: the program of all commands knows which it is. */
const FOR_OTHERS = /^(?:-[hv]|--(?:help|version)|--(?:output-format|input-format)(?:=.*)?)$/s;

/** Whether keys can be read and a screen can be drawn. */
export function isAtTerminal(): boolean {
  const { isatty } = process.getBuiltinModule('node:tty');
  return isatty(0) && isatty(1);
}

/** Runs the program of a pack. */
export function runPack(file: string, argv: ReadonlyArray<string>): Promise<number> {
  return openProgram(file).run().main(argv);
}

/** A program as the command and the build open it. */
export function openProgram(file: string): Packed<Program> {
  return openPacked<Program>(file, costlyWhenUsed(module.createRequire(file)));
}

type Program = { readonly main: (argv: ReadonlyArray<string>) => Promise<number> };
