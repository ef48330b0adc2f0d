import { ownIdentity } from '@attractor/system';
import { findRun, findWorkplace, isToBePushed, type Store } from '@attractor/store';
import { dropCarried, git, type Repository } from '@attractor/repository';
import type { Finding } from './findings.ts';
import { type Check, finding } from './check.ts';
import { listCheckouts, whileThere } from './our-worktrees.ts';

const TIMEOUT_MS = 15_000;

/**
 * Drops the carried work of runs that ended on this machine, once it is pushed: their work is here. The carried work of a run that ended elsewhere, or could
 * not be brought here, may be all that is left of it and stays.
 */
export const closedCarriers: Check = async ({ store, home }) => {
  const findings: Finding[] = [];
  if (store.dialect !== 'postgres') return findings;
  for (const { repository } of await listCheckouts(store, home)) {
    for (const runId of await carriedRuns(repository)) {
      if (!(await endedHere(store, runId, home))) continue;
      const talk = { timeoutMs: TIMEOUT_MS };
      if ((await whileThere([repository.root], () => dropCarried({ repository, runId, talk }))) === true)
        findings.push(
          finding('closed-carriers', { taskId: null, runId }, 'Dropped the refs that carried an ended run'),
        );
    }
  }
  return findings;
};

async function carriedRuns({ root }: Repository): Promise<ReadonlySet<string>> {
  const listed = await git(['for-each-ref', '--format=%(refname)', 'refs/attractor/'], { cwd: root });
  const names = listed.ok ? listed.value.split('\n').map((ref) => ref.split('/')[2] ?? '') : [];
  return new Set(names.filter((name) => name.startsWith('run_')));
}

async function endedHere({ read }: Store, runId: string, home: string): Promise<boolean> {
  const run = await findRun(read, runId);
  const here = JSON.stringify({ machine: ownIdentity().machine ?? '', home });
  if (run === null || run.status === 'running' || (await findWorkplace(read, runId)) !== here) return false;
  return !(await isToBePushed(read, { taskId: run.taskId, runId }));
}
