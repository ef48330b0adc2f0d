import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { ownName } from '@attractor/store';

/** The identity of a process that lived a moment ago. */
export async function deadOwner(): Promise<string> {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  child.kill('SIGKILL');
  await once(child, 'exit');
  return JSON.stringify({ ...JSON.parse(ownName()), pid: child.pid, started });
}
