import { readdirSync, readFileSync } from 'node:fs';

export type LeftRunning = { readonly pid: number; readonly line: string };

/** Programs that know a folder, by their variables or their arguments, and whose starter has ended: they descend from us no longer. */
export function leftRunning(folder: string): ReadonlyArray<LeftRunning> {
  return processes().flatMap((pid) => {
    const [line, variables] = [read(pid, 'cmdline'), read(pid, 'environ')];
    if (!isOrphan(pid) || !(line.includes(folder) || variables.includes(folder))) return [];
    return [{ pid, line: line.replaceAll('\0', ' ').trim() }];
  });
}

/** Where there is no /proc nothing is found. */
function processes(): ReadonlyArray<number> {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function isOrphan(pid: number): boolean {
  let at = pid;
  while (at > 1 && at !== process.pid) at = parentOf(at);
  return at === 1;
}

/** 0: it has ended meanwhile. */
function parentOf(pid: number): number {
  return Number(/\) [^Z] (\d+) /.exec(read(pid, 'stat'))?.[1] ?? 0);
}

/** Empty for one that has ended meanwhile, or that is somebody else's. */
function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}
