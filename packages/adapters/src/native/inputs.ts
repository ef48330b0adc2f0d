import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Which inputs a conversation was given, by key, in order: the n-th line belongs to the n-th input in the journal. A key is written before
 * its input is submitted, so that after any crash it is known whether an input was given.
 */
export function inputNumber(statePath: string, key: string): number {
  const file = join(statePath, 'inputs.txt');
  const keys = readLines(file);
  const known = keys.indexOf(key);
  if (known >= 0) return known + 1;
  appendFileSync(file, `${key}\n`, { mode: 0o600 });
  return keys.length + 1;
}

function readLines(file: string): ReadonlyArray<string> {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
}
