import { type AttemptGroupRow, findGroup, findRun, listGroupAttempts, listGroups, type Reader } from '@attractor/store';
import { type Attempt, type AttemptGroup, readScore } from '@attractor/run';

export async function findAttempts(db: Reader, groupId: string): Promise<AttemptGroup | null> {
  const group = await findGroup(db, groupId);
  return group === null ? null : read(db, group);
}

export async function listAttempts(db: Reader, taskId: string): Promise<ReadonlyArray<AttemptGroup>> {
  const groups: AttemptGroup[] = [];
  for (const group of await listGroups(db, taskId)) groups.push(await read(db, group));
  return groups;
}

async function read(db: Reader, group: AttemptGroupRow): Promise<AttemptGroup> {
  const attempts: Attempt[] = [];
  for (const row of await listGroupAttempts(db, group.id)) {
    const run = await findRun(db, row.run_id);
    const kept = readScore(row);
    if (run === null) continue;
    const score =
      kept === null
        ? null
        : {
            succeeded: kept.succeeded,
            failedChecks: kept.failedChecks,
            changedLines: kept.changedLines,
            costUsd: kept.costUsd,
          };
    attempts.push({ number: row.number, run, score, place: row.place });
  }
  return {
    id: group.id,
    taskId: group.task_id,
    projectId: group.project_id,
    status: statusOf(group, attempts),
    winnerRunId: group.winner_run_id,
    createdAt: group.created_at,
    attempts,
  };
}

function statusOf(group: AttemptGroupRow, attempts: ReadonlyArray<Attempt>): AttemptGroup['status'] {
  if (group.judged_at !== null) return 'judged';
  return attempts.some(({ run }) => run.status === 'running') ? 'running' : 'cancelled';
}
