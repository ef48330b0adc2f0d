import { ownIdentity } from '@attractor/system';
import { findRun, findWorkplace, isToBePushed, type Reader } from '@attractor/store';
import { dropAllCarried, listCarriedRuns, personRemoteOptions, rescueCarried } from '@attractor/repository';
import type { Finding } from './findings.ts';
import { type Check, finding } from './check.ts';
import { whyEnded } from './ended-tasks.ts';
import { listCheckouts, whileThere } from './our-worktrees.ts';

const TIMEOUT_MS = 15_000;
const ASK_EVERY_MS = 10 * 60_000;

/**
 * Drops the carried work of runs that ended on this machine, once it is pushed: their work is here. What a run that ended elsewhere
 * carried may be all that is left of it and stays until its task has ended; if the run did not complete it is kept under a rescue ref
 * then. The remote is asked now and then, not every minute: whoever lost a run may have put something there after its end.
 */
export function closedCarriers(hostEnv: Readonly<Record<string, string | undefined>>): Check {
  let asked: number | null = null;
  return async ({ store, home, settings }) => {
    const findings: Finding[] = [];
    if (store.dialect !== 'postgres') return findings;
    const remote = asked === null || performance.now() - asked >= ASK_EVERY_MS;
    if (remote) asked = performance.now();
    for (const { repository } of await listCheckouts(store, home)) {
      const drop = async (): Promise<ReadonlyArray<string>> => {
        const talk = { ...(await personRemoteOptions(hostEnv, repository.root)), timeoutMs: TIMEOUT_MS };
        const runIds: string[] = [];
        for (const runId of await listCarriedRuns({ repository, talk }, { remote })) {
          const taskId = await taskOf(store.read, runId);
          const run = await findRun(store.read, runId);
          const ended = taskId === null ? null : await whyEnded(store.read, taskId, settings.keepWorktreesMs);
          if (await endedHere(store.read, runId, home)) runIds.push(runId);
          else if (taskId === null || ended === null) continue;
          else if (run?.status === 'completed' || (await rescueCarried({ repository, runId, talk, taskId })))
            runIds.push(runId);
        }
        return runIds.length > 0 && (await dropAllCarried({ repository, runIds, talk })) ? runIds : [];
      };
      for (const runId of (await whileThere([repository.root], drop)) ?? [])
        findings.push(
          finding('closed-carriers', { taskId: null, runId }, 'Dropped the refs that carried an ended run'),
        );
    }
    return findings;
  };
}

/** Also of a run that was deleted with its task; null: it is of another database. */
async function taskOf(db: Reader, runId: string): Promise<string | null> {
  const events = db.selectFrom('events').select('task_id').where('run_id', '=', runId);
  return (await events.limit(1).executeTakeFirst())?.task_id ?? null;
}

async function endedHere(db: Reader, runId: string, home: string): Promise<boolean> {
  const run = await findRun(db, runId);
  const here = JSON.stringify({ machine: ownIdentity().machine ?? '', home });
  if (run === null || run.status === 'running' || (await findWorkplace(db, runId)) !== here) return false;
  return !(await isToBePushed(db, { taskId: run.taskId, runId }));
}
