import type { ShellPart, ShellReading } from '@attractor/shell';
import type { Decision } from './types.ts';

/** What the policy needs to know of shell commands. Reading never throws; what it does not understand is a `problem`. */
export type ShellPort = {
  readonly read: (command: string, places: ShellPlaces) => ShellReading;
  /** Does the content of a `Bash(…)` rule fit this part? Rules that deny or ask look through more than rules that allow. */
  readonly matches: (content: string, part: ShellPart, behavior: Decision) => boolean;
  /** A rule for exactly this part; null when none can be written. */
  readonly suggest: (part: ShellPart) => string | null;
};

/** `folders`: all of the workspace, as they are named and as they really are; `searchPath`: the PATH that the command gets. */
export type ShellPlaces = {
  readonly cwd: string;
  readonly root: string;
  readonly home: string;
  readonly folders: ReadonlyArray<string>;
  readonly searchPath: string;
};
