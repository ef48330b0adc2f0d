import { newId } from '@attractor/agent';
import type { Artifact } from '../types/index.ts';
import { idOf, parseJson } from './json.ts';
import type { ArtifactRow } from './schema.ts';
import type { Reader, Tx } from './store.ts';

export type NewArtifact = Omit<Artifact, 'id' | 'createdAt'> & { readonly key: string };

/** Null when the task has it already. */
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
    created_at: new Date().toISOString(),
  };
  const result = await tx
    .insertInto('artifacts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n ? fromRow(row) : null;
}

export async function listArtifacts(db: Reader, taskId: string): Promise<ReadonlyArray<Artifact>> {
  const rows = await db.selectFrom('artifacts').selectAll().where('task_id', '=', taskId).orderBy('id').execute();
  return rows.map(fromRow);
}

function fromRow(row: ArtifactRow): Artifact {
  return {
    id: idOf('art', row.id),
    taskId: idOf('tsk', row.task_id),
    runId: row.run_id === null ? null : idOf('run', row.run_id),
    type: row.type,
    label: row.label,
    url: row.url,
    metadata: parseJson<Readonly<Record<string, unknown>>>(row.metadata, {}),
    createdAt: row.created_at,
  };
}
