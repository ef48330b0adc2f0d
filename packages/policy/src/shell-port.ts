import type { GitShown, ShellPart, ShellReading } from '@attractor/shell';
import type { Decision } from './types.ts';

/** What the policy needs to know about shell commands. Parsing never throws; what it can't parse is a `problem`. */
export type ShellPort = {
  readonly read: (command: string, places: ShellPlaces) => ShellReading;
  /** Whether the content of a `Bash(…)` rule matches this part. Rules that deny or ask see through more than rules that allow. */
  readonly matches: (content: string, part: ShellPart, behavior: Decision) => boolean;
  /** A rule for exactly this part; null if none can be written. */
  readonly suggest: (part: ShellPart) => string | null;
  /** What a command of git prints of files, by its words; null: nothing. */
  readonly shows: (words: ReadonlyArray<string>) => GitShown | null;
};

/** `folders`: all of the workspace, as they are named and as they really are; `searchPath`: the PATH that the command gets. */
export type ShellPlaces = {
  readonly cwd: string;
  readonly root: string;
  readonly home: string;
  readonly folders: ReadonlyArray<string>;
  readonly searchPath: string;
};
