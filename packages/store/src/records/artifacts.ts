import { newId } from '@attractor/base/id';
import type { Artifact } from '../types/index.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';
import { idOf, parseJson } from '../database/json.ts';
import type { ArtifactRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';

type Late = 'phaseId' | 'content' | 'filePath' | 'createdBy';
export type NewArtifact = Omit<Artifact, 'id' | 'createdAt' | Late> & Partial<Pick<Artifact, Late>>;

/** Null if the task already has it. */
export async function addArtifact(tx: Tx, artifact: NewArtifact): Promise<Artifact | null> {
  const row: ArtifactRow = {
    id: newId('art'),
    task_id: artifact.taskId,
    run_id: artifact.runId,
    key: artifact.key,
    type: artifact.type,
    label: artifact.label,
    url: artifact.url,
    metadata: JSON.stringify(artifact.metadata),
    created_at: transactionTime(tx),
    phase_id: artifact.phaseId ?? null,
    content: artifact.content ?? null,
    file_path: artifact.filePath ?? null,
    created_by: artifact.createdBy ?? (artifact.runId === null ? 'system' : 'agent'),
  };
  const result = await tx
    .insertInto('artifacts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n ? fromRow(row) : null;
}

export async function findArtifact(db: Reader, id: string): Promise<Artifact | null> {
  const row = await db.selectFrom('artifacts').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

export async function findArtifactByKey(db: Reader, taskId: string, key: string): Promise<Artifact | null> {
  const query = db.selectFrom('artifacts').selectAll().where('task_id', '=', taskId).where('key', '=', key);
  const row = await query.executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

/** An artifact's identity stays; its display and its data may change. */
export async function updateArtifact(tx: Tx, artifact: Artifact): Promise<void> {
  const { label, url, content, metadata } = artifact;
  const columns = { label, url, content, metadata: JSON.stringify(metadata) };
  await tx.updateTable('artifacts').set(columns).where('id', '=', artifact.id).execute();
}

export async function deleteArtifact(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('artifacts').where('id', '=', id).execute();
}

export async function listArtifacts(db: Reader, taskId: string): Promise<ReadonlyArray<Artifact>> {
  return (await artifactsOf(db, { taskId })).rows.map(fromRow);
}

const artifactsOf = compiledOnce((db, { taskId }: Given<{ taskId: string }>) =>
  db.selectFrom('artifacts').selectAll().where('task_id', '=', taskId).orderBy('id'),
);

/** Those of tasks whose pull request has not ended as far as we know. */
export async function listOpenPullRequests(
  db: Reader,
  projectId?: string,
): Promise<ReadonlyArray<{ readonly artifact: Artifact; readonly projectId: string }>> {
  let query = db
    .selectFrom('artifacts')
    .innerJoin('tasks', 'tasks.id', 'artifacts.task_id')
    .selectAll('artifacts')
    .select('tasks.project_id')
    .where('artifacts.type', '=', 'pull_request')
    .where((row) =>
      row.or([row('metadata', 'like', '%"state":"open"%'), row('metadata', 'like', '%"state":"draft"%')]),
    );
  if (projectId !== undefined) query = query.where('tasks.project_id', '=', projectId);
  const rows = await query.orderBy('artifacts.id').execute();
  return rows.map((row) => ({ artifact: fromRow(row), projectId: row.project_id }));
}

function fromRow(row: ArtifactRow): Artifact {
  return {
    id: idOf('art', row.id),
    taskId: idOf('tsk', row.task_id),
    key: row.key,
    phaseId: row.phase_id,
    runId: row.run_id === null ? null : idOf('run', row.run_id),
    type: row.type,
    label: row.label,
    url: row.url,
    content: row.content,
    filePath: row.file_path,
    createdBy: row.created_by,
    metadata: parseJson<Readonly<Record<string, unknown>>>(row.metadata, {}),
    createdAt: row.created_at,
  };
}

/** The branches and pull requests of whole tasks of a project, open or not. */
export async function listProjectWork(db: Reader, projectId: string): Promise<ReadonlyArray<Artifact>> {
  const rows = await db
    .selectFrom('artifacts')
    .innerJoin('tasks', 'tasks.id', 'artifacts.task_id')
    .selectAll('artifacts')
    .where('tasks.project_id', '=', projectId)
    .where('artifacts.type', 'in', ['branch', 'pull_request'])
    .where('artifacts.phase_id', 'is', null)
    .orderBy('artifacts.id')
    .execute();
  return rows.map(fromRow);
}
