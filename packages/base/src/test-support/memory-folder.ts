import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A private folder in memory if the system has one: for tests that sync files thousands of times. */
export function makeMemoryFolder(): string {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = realpathSync(mkdtempSync(path.join(parent, 'agent-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
