import { readFileSync } from 'node:fs';
import { until } from './until.ts';

/** A process that ended and was not waited for yet does not run. */
export function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** Resolves when the process has ended; otherwise the test's own time limit applies. */
export async function gone(pid: number): Promise<void> {
  if (!(pid > 1)) throw new Error(`${pid} is no process of a test`);
  await until(() => !isRunning(pid));
}
