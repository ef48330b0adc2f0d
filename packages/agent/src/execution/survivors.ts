import { readdirSync, readFileSync } from 'node:fs';

/** Every process a command starts inherits this variable: it finds those that left the command's process group. */
export const COMMAND_MARK = 'ATTRACTOR_COMMAND';

/** Ends every process that carries the mark (or, for a prefix, any of its commands). Returns their ids. */
export function endSurvivors(mark: string): ReadonlyArray<number> {
  const found = processes().filter((pid) => pid !== process.pid && carries(pid, mark));
  for (const pid of found) kill(pid);
  return found;
}

function processes(): ReadonlyArray<number> {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function carries(pid: number, mark: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}`.includes(`\0${COMMAND_MARK}=${mark}`);
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
