import type { ShellReading } from '../reading.ts';
import { readShell } from '../read-shell.ts';

type Decision = 'allow' | 'ask' | 'deny';

export const PLACES = { cwd: '/home/me/project', root: '/home/me/project', home: '/home/me' };

/** The judgement without any rule: deny what destroys, allow what only reads, ask about the rest. */
export function decide(command: string): Decision {
  return decisionOf(readShell(command, PLACES));
}

export function decisionOf({ parts, problem }: ShellReading): Decision {
  if (parts.some(({ effect }) => effect === 'destructive')) return 'deny';
  if (problem !== null || parts.length === 0) return 'ask';
  return parts.every(({ effect }) => effect === 'read') ? 'allow' : 'ask';
}
