import { createHash } from 'node:crypto';
import type { PolicyCall } from './types.ts';

/**
 * Identifies exactly what a call would do: the tool, every byte of its arguments in any key order, and the folder that it starts in,
 * without which a command means something else.
 */
export function contentHash({ toolName, args, workingDir = '.' }: PolicyCall): string {
  const content = [toolName, ordered(args), ...(workingDir === '.' ? [] : [workingDir])];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return entries.map(([name, one]) => [name, ordered(one)]);
}
