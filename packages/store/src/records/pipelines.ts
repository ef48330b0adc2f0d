import type { PipelineDefinition } from '../types/index.ts';
import type { PipelineRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';

/** A stored version is never changed: saving it again does nothing and returns false. */
export async function savePipeline(tx: Tx, definition: PipelineDefinition): Promise<boolean> {
  const result = await tx
    .insertInto('pipelines')
    .values({
      id: definition.id,
      version: definition.version,
      is_default: definition.isDefault ? 1 : 0,
      definition: JSON.stringify(definition),
      created_at: transactionTime(tx),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Without a version: the newest. */
export async function findPipeline(db: Reader, id: string, version?: number): Promise<PipelineDefinition | null> {
  const { rows } = await (version === undefined ? newestOf(db, { id }) : exactly(db, { id, version }));
  return rows[0] === undefined ? null : fromRow(rows[0]);
}

const newestOf = compiledOnce((db, { id }: Given<{ id: string }>) =>
  db.selectFrom('pipelines').selectAll().where('id', '=', id).orderBy('version', 'desc').limit(1),
);

const exactly = compiledOnce((db, { id, version }: Given<{ id: string; version: number }>) =>
  db.selectFrom('pipelines').selectAll().where('id', '=', id).where('version', '=', version),
);

/** Every version that a task has. */
export async function listPipelinesInUse(db: Reader): Promise<ReadonlyArray<PipelineDefinition>> {
  const rows = await db
    .selectFrom('pipelines')
    .selectAll()
    // The first of each in the index is looked up: a join would read all tasks.
    .where(
      (pipeline) =>
        pipeline
          .selectFrom('tasks')
          .select(({ fn }) => fn.min('tasks.status').as('first'))
          .whereRef('tasks.pipeline_id', '=', 'pipelines.id')
          .whereRef('tasks.pipeline_version', '=', 'pipelines.version'),
      'is not',
      null,
    )
    .orderBy('id')
    .orderBy('version')
    .execute();
  return rows.map(fromRow);
}

/** The newest version of each. */
export async function listPipelines(db: Reader): Promise<ReadonlyArray<PipelineDefinition>> {
  const rows = await db.selectFrom('pipelines').selectAll().orderBy('id').orderBy('version', 'desc').execute();
  const newest = new Map<string, PipelineRow>();
  for (const row of rows) if (!newest.has(row.id)) newest.set(row.id, row);
  return [...newest.values()].map(fromRow);
}

export async function findDefaultPipeline(db: Reader): Promise<PipelineDefinition | null> {
  const [row] = (await newestOfDefault(db, {})).rows;
  return row === undefined ? null : fromRow(row);
}

const newestOfDefault = compiledOnce((db) =>
  db
    .selectFrom('pipelines')
    .selectAll()
    .where('id', '=', (pipelines) =>
      pipelines
        .selectFrom('pipelines as chosen')
        .select('chosen.id')
        .where('chosen.is_default', '=', 1)
        .orderBy('chosen.version', 'desc')
        .limit(1),
    )
    .orderBy('version', 'desc')
    .limit(1),
);

/** Every version of it, and no other. */
export async function setDefaultPipeline(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('pipelines').set({ is_default: 0 }).where('id', '<>', id).execute();
  await tx.updateTable('pipelines').set({ is_default: 1 }).where('id', '=', id).execute();
}

export async function countTasksOfPipeline(db: Reader, id: string): Promise<number> {
  const row = await db
    .selectFrom('tasks')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('pipeline_id', '=', id)
    .executeTakeFirst();
  return row?.count ?? 0;
}

export async function deletePipeline(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('pipelines').where('id', '=', id).execute();
}

/** The row decides which pipeline is the default: a choice of people, not a part of the stored version. */
function fromRow(row: PipelineRow): PipelineDefinition {
  return { ...definitionOf(row.definition), isDefault: row.is_default === 1 };
}

const MOST_KEPT = 50;
const kept = new Map<string, PipelineDefinition>();

/** Every step of a run asks for its pipeline, and stored texts don't change: those read last are kept. */
function definitionOf(text: string): PipelineDefinition {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const definition: PipelineDefinition = JSON.parse(text);
  const [oldest] = kept.size < MOST_KEPT ? [] : kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
  kept.set(text, definition);
  return definition;
}
