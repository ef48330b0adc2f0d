import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findRun } from '@attractor/store';
import type { Finding } from './findings.ts';
import { type Check, finding } from './check.ts';

/** Old folders of runs without any record. The folder of a known run stays, as its record. */
export const orphanFolders: Check = async ({ store, home, settings }) => {
  const folder = join(home, 'runs');
  const findings: Finding[] = [];
  for (const name of await readdir(folder).catch((): string[] => [])) {
    if (!/^run_[0-9a-z]+$/.test(name) || (await findRun(store.read, name)) !== null) continue;
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age < settings.keepFoldersMs) continue;
    await rm(path, { recursive: true, force: true });
    findings.push(
      finding('orphan-folders', { taskId: null, runId: name }, `Removed ${path}: no record tells of that run`),
    );
  }
  return findings;
};
