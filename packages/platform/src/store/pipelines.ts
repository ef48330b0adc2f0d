import type { PipelineDefinition } from '../types/index.ts';
import type { PipelineRow } from './schema.ts';
import type { Reader, Tx } from './store.ts';

/** A stored version is never changed: saving it again does nothing. */
export async function savePipeline(tx: Tx, definition: PipelineDefinition): Promise<void> {
  await tx
    .insertInto('pipelines')
    .values({
      id: definition.id,
      version: definition.version,
      is_default: definition.isDefault ? 1 : 0,
      definition: JSON.stringify(definition),
      created_at: new Date().toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Without a version: the newest. */
export async function findPipeline(db: Reader, id: string, version?: number): Promise<PipelineDefinition | null> {
  let query = db.selectFrom('pipelines').selectAll().where('id', '=', id);
  if (version !== undefined) query = query.where('version', '=', version);
  const row = await query.orderBy('version', 'desc').limit(1).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

export async function findDefaultPipeline(db: Reader): Promise<PipelineDefinition | null> {
  const row = await db
    .selectFrom('pipelines')
    .selectAll()
    .where('is_default', '=', 1)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

function fromRow(row: PipelineRow): PipelineDefinition {
  const definition: PipelineDefinition = JSON.parse(row.definition);
  return definition;
}
