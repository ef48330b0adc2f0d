import { homedir } from 'node:os';
import { createPolicy } from '@attractor/policy';
import type { ShellReading } from '@attractor/shell';
import type { Environment } from '../settings.ts';
import { isForDenials } from './judge-line.ts';

/**
 * A reading as a session in this folder judges it without any rule: what only reads by its words may do more by what lies here, such as
 * a repository whose settings name a program.
 */
export async function asJudgedHere(
  command: string,
  reading: ShellReading,
  { folder, env }: { readonly folder: string; readonly env: Environment },
): Promise<ShellReading> {
  const home = env['HOME'] ?? homedir();
  const policy = createPolicy({ rules: [], mode: 'default', root: folder, home, sandboxed: true });
  const { decision, reason, part } = await policy.judge({ toolName: 'Bash', args: { command } });
  const isRead = reading.parts.every((one) => one.effect === 'read' || isForDenials(one));
  if (decision === 'allow' || reading.problem !== null || !isRead) return reading;
  const parts = reading.parts.map((one) => (one.text === part ? { ...one, effect: 'unknown' as const, reason } : one));
  const isMarked = parts.some((one) => one.effect !== 'read' && !isForDenials(one));
  return isMarked ? { ...reading, parts } : { ...reading, problem: { reason, part: part ?? command } };
}
