import { accessSync, constants } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createControlGroups, type ControlGroups } from './control-groups.ts';

/**
 * How many processes and threads one command may have at a time. For an ordinary user the kernel counts them by user namespace, of which
 * every command has its own; root is never counted like that, and gets a control group instead. If neither is available there is no bound.
 */
export type ProcessBound = {
  /** Joined from outside, before the sandbox starts. */
  readonly groups: ControlGroups | null;
  /** A program that runs before the command, inside. */
  readonly prefix: ReadonlyArray<string>;
};

const PRLIMIT = '/usr/bin/prlimit';

/** Enough for a test runner with one worker per core; a fork bomb ends early. */
export function usualProcessBound(): number {
  return Math.max(480, availableParallelism() * 64);
}

export function createProcessBound(most: number): ProcessBound {
  if (process.getuid?.() === 0) return { groups: createControlGroups(most), prefix: [] };
  return { groups: null, prefix: isExecutable(PRLIMIT) ? [PRLIMIT, `--nproc=${most}`] : [] };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
