import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Where tests make folders whose files are written, synced and removed thousands of times: in memory if the machine has plenty of it
 * (`tests/temporary-folder.ts` decides), otherwise where all temporary folders are. A sandbox shows nothing of it but its own roots.
 */
export function memoryParent(): string {
  return process.env['MEMORY_FOLDER'] ?? tmpdir();
}

/** A private folder in memory, if there is room. */
export function makeMemoryFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(memoryParent(), 'agent-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
