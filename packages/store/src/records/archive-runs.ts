import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { done } from '@attractor/base';
import type { RunArchiveRow } from '../database/archive-rows.ts';
import type { Reader, Store, Tx } from '../database/store.ts';
import { aboutTask } from '../database/subjects.ts';
import { transactionTime } from '../database/transaction-time.ts';
import type { Result } from '../types/refusal.ts';
import { archiveFolder, type StoredEventRow, writeArchive } from './archive-file.ts';
import { ARCHIVED_TYPE } from './archived-events.ts';

export type ArchivableRun = {
  readonly id: string;
  readonly key: string;
  readonly taskId: string;
  readonly events: number;
};

export type ArchivedRun = {
  readonly run: string;
  readonly path: string;
  readonly bytes: number;
  readonly events: number;
};

/** Runs of a project that ended before then, of tasks at which nothing happened since, whose transcript is still in the log. */
export async function listArchivable(
  db: Reader,
  { projectId, before }: { readonly projectId: string; readonly before: string },
): Promise<ReadonlyArray<ArchivableRun>> {
  return db
    .selectFrom('runs')
    .innerJoin('tasks', 'tasks.id', 'runs.task_id')
    .leftJoin('run_archives', 'run_archives.run_id', 'runs.id')
    .innerJoin('events', 'events.run_id', 'runs.id')
    .select(['runs.id as id', 'runs.key as key', 'runs.task_id as taskId'])
    .select((run) => run.fn.count<number>('events.seq').as('events'))
    .where('runs.project_id', '=', projectId)
    .where('runs.status', '<>', 'running')
    .where('runs.finished_at', '<', before)
    .where('tasks.updated_at', '<', before)
    .where('run_archives.run_id', 'is', null)
    .where('events.type', '=', ARCHIVED_TYPE)
    .groupBy(['runs.id', 'runs.key', 'runs.task_id'])
    .orderBy('runs.id')
    .execute();
}

/**
 * Moves what the agent of an ended run said and did out of the log into a compressed file, which `listEvents` reads. The file is on disk
 * before the log forgets anything. Each try has a file of its own, and the first that is recorded counts: whoever archives the same run at
 * the same time overwrites nothing. Null: somebody else has archived it.
 */
export async function archiveRun(store: Store, run: ArchivableRun, home: string): Promise<Result<ArchivedRun | null>> {
  const path = join(archiveFolder(home, run.taskId), `${run.key}-${randomUUID().slice(0, 8)}.jsonl.gz`);
  const seen = { first: 0, last: 0, events: 0 };
  const written = await writeArchive(path, counted(transcriptOf(store.read, run.id), seen));
  if (!written.ok) return written;
  const archive = { run_id: run.id, path, machine: hostname(), ...written.value, events: seen.events };
  const isMoved = await store.transact((tx) => moveOut(tx, archive, seen), aboutTask(run.taskId));
  if (!isMoved) await rm(path, { force: true });
  return done(isMoved ? { run: run.key, path, bytes: written.value.bytes, events: seen.events } : null);
}

type Written = Omit<RunArchiveRow, 'first_seq' | 'last_seq' | 'archived_at'>;

async function moveOut(tx: Tx, archive: Written, { first, last }: Seen): Promise<boolean> {
  const recorded = await tx
    .insertInto('run_archives')
    .values({ ...archive, first_seq: first, last_seq: last, archived_at: transactionTime(tx) })
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .executeTakeFirst();
  if (recorded.numInsertedOrUpdatedRows !== 1n) return false;
  await tx
    .deleteFrom('events')
    .where('run_id', '=', archive.run_id)
    .where('type', '=', ARCHIVED_TYPE)
    .where('seq', '<=', last)
    .execute();
  return true;
}

const ROWS_AT_ONCE = 500;

async function* transcriptOf(db: Reader, runId: string): AsyncGenerator<StoredEventRow> {
  let after = 0;
  for (;;) {
    const rows = await db
      .selectFrom('events')
      .selectAll()
      .where('run_id', '=', runId)
      .where('type', '=', ARCHIVED_TYPE)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(ROWS_AT_ONCE)
      .execute();
    yield* rows;
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

type Seen = { first: number; last: number; events: number };

async function* counted(rows: AsyncIterable<StoredEventRow>, seen: Seen): AsyncGenerator<StoredEventRow> {
  for await (const row of rows) {
    if (seen.events === 0) seen.first = row.seq;
    seen.last = row.seq;
    seen.events += 1;
    yield row;
  }
}
