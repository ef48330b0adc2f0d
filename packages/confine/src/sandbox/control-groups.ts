import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '@attractor/base/id';
import { isOrphaned, ownMark } from '@attractor/system';
import { namesIn } from '../containment/list-folder.ts';

/**
 * Control groups, in which the kernel counts the processes of root's commands. Each command has its own: nothing that another command left,
 * running or a zombie, uses up its bound. Their names say who made them; those of a killed process are removed by the next one.
 */
export type ControlGroups = {
  readonly take: () => ControlGroup;
  /** Removes them all, waiting a moment for processes that are about to end. */
  readonly close: () => Promise<void>;
  /** The same without waiting. */
  readonly removeNow: () => void;
};

/** Removed once it was given back and its last process has ended. */
export type ControlGroup = { readonly at: string; readonly giveBack: () => void };

/** The file in a group that a process writes itself to in order to join. */
export const JOIN = 'cgroup.procs';

const ENDING_MS = 20;
const LOOKS = 10;

/** Each for at most `most` processes and threads. Null if none can be made. */
export function createControlGroups(most: number, parent = parentGroup()): ControlGroups | null {
  if (parent === null) return null;
  removeOrphans(parent);
  // If no further group can be made one day, a shared bound is better than none.
  const reserve = makeGroup(parent, most);
  if (reserve === null) return null;
  const taken = new Set([reserve]);
  const leaving = new Set<string>();
  const removeLeaving = (): void => {
    for (const group of leaving) if (removeGroup(group)) leaving.delete(group);
  };
  const removeNow = (): void => {
    for (const group of taken) leaving.add(group);
    removeLeaving();
  };
  return {
    take: () => {
      removeLeaving();
      const at = makeGroup(parent, most) ?? reserve;
      taken.add(at);
      return { at, giveBack: () => void (at !== reserve && taken.delete(at) && leaving.add(at)) };
    },
    removeNow,
    close: async () => {
      removeNow();
      for (let look = 0; look < LOOKS && leaving.size > 0; look++) {
        await wait(ENDING_MS);
        removeLeaving();
      }
    },
  };
}

/** Where the kernel tells of groups: which ones a process is in, and the top of their trees. */
type GroupPlaces = { readonly own: string; readonly top: string };

const PLACES: GroupPlaces = { own: '/proc/self/cgroup', top: '/sys/fs/cgroup' };

/**
 * Our own group if the pids controller has its own tree (version 1), otherwise the top of the one tree (version 2), if that hands the
 * controller down: groups with processes have no children.
 */
export function parentGroup({ own, top }: GroupPlaces = PLACES): string | null {
  try {
    const line = /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(.*)$/m.exec(readFileSync(own, 'utf8'));
    if (line !== null) return path.join(top, 'pids', line[1] ?? '/');
    const handedDown = readFileSync(path.join(top, 'cgroup.subtree_control'), 'utf8').split(/\s+/);
    return handedDown.includes('pids') ? top : null;
  } catch {
    return null;
  }
}

function removeOrphans(parent: string): void {
  for (const name of namesIn(parent)) {
    const owner = /^attractor_\w+@(.+)$/.exec(name)?.[1];
    if (owner !== undefined && isOrphaned(owner)) removeGroup(path.join(parent, name));
  }
}

/** Empty in a container whose group is not visible inside it. */
function makeGroup(parent: string, most: number): string | null {
  const group = path.join(parent, `${newId('attractor')}@${ownMark()}`);
  try {
    mkdirSync(group);
    writeFileSync(path.join(group, 'pids.max'), String(most));
    return group;
  } catch {
    removeGroup(group);
    return null;
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
