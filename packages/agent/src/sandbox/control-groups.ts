import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isOrphaned, ownIdentity } from '../execution/survivors.ts';
import { newId } from '../id.ts';

/**
 * Control groups, in which the kernel counts the processes of root's commands. Whoever takes one has it alone until it is given back,
 * and gets none in which a process is left: what one command leaves running uses up nobody else's bound. Names say who made them; those
 * of a killed process are removed by the next one.
 */
export type ControlGroups = {
  readonly take: () => ControlGroup;
  /** Removes those that are empty, or become so in a moment. */
  readonly close: () => Promise<void>;
  /** The same without waiting. */
  readonly removeNow: () => void;
};

export type ControlGroup = { readonly at: string; readonly giveBack: () => void };

/** In a group: write oneself to the one, read from the other how many are in it. The same in both versions of control groups. */
export const JOIN = 'cgroup.procs';
export const COUNT = 'pids.current';

const ENDING_MS = 20;
const LOOKS = 10;

/** Each for at most `most` processes and threads. Null where none can be made. */
export function createControlGroups(most: number): ControlGroups | null {
  const parent = parentGroup();
  if (parent === null) return null;
  removeOrphans(parent);
  const shared = makeGroup(parent, most);
  if (shared === null) return null;
  const made = new Set([shared]);
  const idle = new Set([shared]);
  const make = (): string | null => {
    const group = makeGroup(parent, most);
    if (group !== null) made.add(group);
    return group;
  };
  const removeNow = (): void => {
    for (const group of made) if (removeGroup(group)) made.delete(group);
  };
  return {
    take: () => {
      // A bound that is shared is better than none.
      const at = [...idle].find(isEmpty) ?? make() ?? shared;
      idle.delete(at);
      return { at, giveBack: () => void idle.add(at) };
    },
    removeNow,
    close: async () => {
      removeNow();
      for (let look = 0; look < LOOKS && made.size > 0; look++) {
        await wait(ENDING_MS);
        removeNow();
      }
    },
  };
}

/** Our own group where the pids controller has its own tree, else the top of the one tree: groups with processes have no children. */
function parentGroup(): string | null {
  try {
    const line = /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'));
    if (line !== null) return path.join('/sys/fs/cgroup/pids', line[1] ?? '/');
    const handedDown = readFileSync('/sys/fs/cgroup/cgroup.subtree_control', 'utf8').split(/\s+/);
    return handedDown.includes('pids') ? '/sys/fs/cgroup' : null;
  } catch {
    return null;
  }
}

function removeOrphans(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = /^attractor_\w+@(.+)$/.exec(name)?.[1];
    if (owner !== undefined && isOrphaned(owner)) removeGroup(path.join(parent, name));
  }
}

function makeGroup(parent: string, most: number): string | null {
  const group = path.join(parent, `${newId('attractor')}@${ownIdentity()}`);
  try {
    mkdirSync(group);
    writeFileSync(path.join(group, 'pids.max'), String(most));
    return group;
  } catch {
    removeGroup(group);
    return null;
  }
}

function isEmpty(group: string): boolean {
  try {
    return Number(readFileSync(path.join(group, COUNT), 'utf8')) === 0;
  } catch {
    return false;
  }
}

/** False while a process is in it. */
function removeGroup(group: string): boolean {
  try {
    rmdirSync(group);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT';
  }
}
