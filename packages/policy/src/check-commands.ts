import type { ShellPart, ShellReading } from '@attractor/shell';
import type { ShellPlaces, ShellPort } from './shell-port.ts';

/** A command that the agent gives, and the commands of its task's checks. */
export type CheckQuestion = { readonly command: string; readonly checks: ReadonlyArray<string> };

/**
 * Tells whether a part of a command is a check of the task. A check runs on the agent's work in any case, in that folder and that sandbox,
 * so running it earlier gives nothing away. It is the same one if the whole text is, or if it is one simple command with the same words.
 * In another folder, or with variables set for it, it may do something else.
 */
export function checkFinder(
  { command, checks }: CheckQuestion,
  places: ShellPlaces,
  shell: ShellPort,
): (part: ShellPart | null) => boolean {
  const isAtRoot = places.cwd === places.root;
  if (isAtRoot && checks.some((check) => check.trim() === command.trim())) return () => true;
  const simple = checks.flatMap((check) => wordsOf(shell.read(check, { ...places, cwd: places.root })));
  return (part) => part !== null && simple.some((words) => isSame(words, part, places.root));
}

/** None for a check of several commands, or with a redirection: only its whole text says what it does. */
function wordsOf({ parts, problem }: ShellReading): ReadonlyArray<ReadonlyArray<string>> {
  const [only, ...more] = parts;
  if (only === undefined || more.length > 0 || problem !== null || only.argv === null) return [];
  const isPlain = only.assigns.length === 0 && only.targets.every(({ via }) => via === 'argument');
  return isPlain ? [only.argv] : [];
}

function isSame(words: ReadonlyArray<string>, { argv, assigns, cwd, via }: ShellPart, root: string): boolean {
  if (argv === null || via !== undefined || assigns.length > 0 || cwd !== root) return false;
  return argv.length === words.length && argv.every((word, at) => word === words[at]);
}
