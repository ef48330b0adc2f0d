import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fateOf, ownIdentity, type ProcessIdentity } from './locks/process-identity.ts';

/** A unique name of an agent's process, as stored with its run. */
export function nameProcess(pid: number): string {
  const identity: ProcessIdentity = { ...ownIdentity(), pid, started: statOf(pid)?.started ?? null };
  return JSON.stringify(identity);
}

/** Ends what an earlier worker left running, if it is visible from here and is still the same process. */
export async function endLeftover(name: string): Promise<boolean> {
  const identity = readIdentity(name);
  // Without a start time a process can't be told from a stranger that got its number.
  if (identity === null || identity.started === null || fateOf(identity) !== 'alive') return false;
  signalTree(identity.pid, 'SIGKILL');
  for (let look = 0; look < 200 && fateOf(identity) === 'alive'; look += 1) await sleep(25);
  return true;
}

/** The process, its group, and all its descendants. A process that is already gone is no failure. */
export function signalTree(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  const members = [...descendantsOf(pid), pid];
  for (const target of [-pid, ...members]) {
    try {
      process.kill(target, signal);
    } catch {
      // It is gone, or leads no group.
    }
  }
}

function descendantsOf(root: number): ReadonlyArray<number> {
  const children = new Map<number, number[]>();
  for (const name of numbersIn('/proc')) {
    const parent = statOf(name)?.parent;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), name]);
  }
  const found: number[] = [];
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const own = children.get(next) ?? [];
    found.push(...own);
    open.push(...own);
  }
  return found;
}

function numbersIn(folder: string): ReadonlyArray<number> {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** The fields of `/proc/<pid>/stat` after the name, which may contain anything. */
function statOf(pid: number): { readonly parent: number; readonly started: string | null } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), started: fields[19] ?? null };
  } catch {
    return null;
  }
}

function readIdentity(name: string): ProcessIdentity | null {
  try {
    const identity: ProcessIdentity = JSON.parse(name);
    return identity;
  } catch {
    return null;
  }
}
