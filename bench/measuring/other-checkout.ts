import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FLAG = '--against';

/** The built command of another checkout that takes turns with this one's: `--against FOLDER`. */
export function commandOfOther(args: ReadonlyArray<string> = process.argv): string | null {
  if (!args.includes(FLAG)) return null;
  const folder = args[args.indexOf(FLAG) + 1];
  if (folder === undefined) throw new Error(`${FLAG} takes the folder of a checkout whose command is built.`);
  const command = join(resolve(folder), 'packages/cli/dist/attractor.js');
  if (!existsSync(command)) throw new Error(`${command} is not there: run \`npm run build\` in ${folder} first.`);
  return command;
}

/** What else was said on the command line. */
export function wordsWithoutOther(args: ReadonlyArray<string> = process.argv.slice(2)): ReadonlyArray<string> {
  const at = args.indexOf(FLAG);
  return at === -1 ? args : args.toSpliced(at, 2);
}
