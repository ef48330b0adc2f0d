import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SETUPS } from '@attractor/repository';
import { findProject, findRun, type Store } from '@attractor/store';
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
      finding('orphan-folders', { taskId: null, runId: name }, `Removed ${path}: there is no record of that run`),
    );
  }
  return [...findings, ...(await setupsOfNobody(home, store))];
};

/** Set-ups that were shared between the runs of a project which was deleted, perhaps from another machine. */
async function setupsOfNobody(home: string, { read }: Store): Promise<ReadonlyArray<Finding>> {
  const folder = join(home, SETUPS);
  const findings: Finding[] = [];
  for (const name of await readdir(folder).catch((): string[] => [])) {
    if ((await findProject(read, name)) !== null) continue;
    const told = read.selectFrom('events').select('seq').where('type', '=', 'project.deleted');
    const deleted = await told.where('project_id', '=', name).limit(1).executeTakeFirst();
    // One that this database never knew may be another's that shares the home.
    if (deleted === undefined) continue;
    const path = join(folder, name);
    await rm(path, { recursive: true, force: true });
    const summary = `Removed ${path}: its project was deleted`;
    findings.push(finding('orphan-folders', { taskId: null, runId: null }, summary));
  }
  return findings;
}
