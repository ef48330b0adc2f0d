import { newId } from '@attractor/base/id';
import type { RunArchiveRow } from '../database/archive-rows.ts';
import type { Reader } from '../database/store.ts';
import { readArchive, type StoredEventRow } from './archive-file.ts';

/** The one type of event that is moved into files: what agents said and did. */
export const ARCHIVED_TYPE = 'agent.message';

type Wanted = { readonly taskId?: string; readonly runId?: string; readonly after?: number };

/** What was moved into files of a run, or of all runs of a task. A file that can't be read is one notice in its place. */
export async function archivedEvents(db: Reader, wanted: Wanted): Promise<ReadonlyArray<StoredEventRow>> {
  const archives = await findArchives(db, wanted);
  const read = await Promise.all(archives.map((archive) => eventsOf(db, archive)));
  return read.flat();
}

function findArchives(db: Reader, { taskId, runId, after = 0 }: Wanted): Promise<ReadonlyArray<RunArchiveRow>> {
  let query = db.selectFrom('run_archives').selectAll('run_archives').where('last_seq', '>', after);
  if (runId !== undefined) query = query.where('run_id', '=', runId);
  if (taskId !== undefined)
    query = query.innerJoin('runs', 'runs.id', 'run_archives.run_id').where('runs.task_id', '=', taskId);
  return query.orderBy('first_seq').execute();
}

async function eventsOf(db: Reader, archive: RunArchiveRow): Promise<ReadonlyArray<StoredEventRow>> {
  const events = await readArchive(archive);
  return events.ok ? events.value : [await notice(db, archive, events.error.message)];
}

async function notice(db: Reader, archive: RunArchiveRow, words: string): Promise<StoredEventRow> {
  const run = await db
    .selectFrom('runs')
    .select(['task_id', 'project_id'])
    .where('id', '=', archive.run_id)
    .executeTakeFirstOrThrow();
  return {
    seq: archive.first_seq,
    id: newId('evt'),
    at: archive.archived_at,
    project_id: run.project_id,
    task_id: run.task_id,
    run_id: archive.run_id,
    key: null,
    category: 'agent',
    type: ARCHIVED_TYPE,
    level: 'warning',
    summary: words,
    data: JSON.stringify({ message: { key: 'archived', kind: 'notice', level: 'warning', text: words } }),
    actor: JSON.stringify({ type: 'system' }),
    actor_type: 'system',
  };
}
