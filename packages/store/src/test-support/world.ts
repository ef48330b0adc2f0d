import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { memoryParent } from '@attractor/base/testing';
import { onTestFinished } from 'vitest';
import type { Actor, Result } from '../types/index.ts';

export const PERSON: Actor = { type: 'user', name: 'Ada' };

/** SOAK=1 multiplies the number of runs of property and kill tests. */
export function runs(count: number): number {
  return process.env['SOAK'] === '1' ? count * 20 : count;
}

export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(memoryParent(), 'attractor-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}
