import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';

/**
 * How many processes and threads one sandbox may have at a time. For an ordinary user the kernel counts them by user namespace;
 * root is never counted like that, and gets a control group instead. Where neither can be had there is no bound.
 */
export type ProcessBound = {
  /** A file to write oneself to, from outside, before the sandbox starts. */
  readonly joinFile?: string;
  /** A program before the command, inside. */
  readonly prefix?: ReadonlyArray<string>;
  readonly close: () => void;
};

const PRLIMIT = '/usr/bin/prlimit';

/** Enough for a test runner with a worker a core; a fork bomb ends early. */
export function usualProcessBound(): number {
  return Math.max(480, availableParallelism() * 64);
}

export function createProcessBound(name: string, most: number): ProcessBound {
  if (process.getuid?.() !== 0) {
    return isExecutable(PRLIMIT) ? { prefix: [PRLIMIT, `--nproc=${most}`], close: () => undefined } : NO_BOUND;
  }
  const parent = controlGroup();
  if (parent === null) return NO_BOUND;
  const group = path.join(parent, name);
  try {
    mkdirSync(group);
    writeFileSync(path.join(group, 'pids.max'), String(most));
    return { joinFile: path.join(group, 'cgroup.procs'), close: () => removeGroup(group) };
  } catch {
    removeGroup(group);
    return NO_BOUND;
  }
}

const NO_BOUND: ProcessBound = { close: () => undefined };

/** Our own group where the pids controller has its own tree, else the top of the one tree: groups with processes have no children. */
function controlGroup(): string | null {
  try {
    const line = /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'));
    if (line !== null) return path.join('/sys/fs/cgroup/pids', line[1] ?? '/');
    const handedDown = readFileSync('/sys/fs/cgroup/cgroup.subtree_control', 'utf8').split(/\s+/);
    return handedDown.includes('pids') ? '/sys/fs/cgroup' : null;
  } catch {
    return null;
  }
}

function removeGroup(group: string): void {
  try {
    rmdirSync(group);
  } catch {
    // Never made, or not empty yet; an empty group costs nothing.
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
