import type { TaskTemplate, TemplateFields } from '../types/index.ts';
import { idOf, parseJson } from '../database/json.ts';
import type { TemplateRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';

/** Inserted, or replaces the one with the same id. */
export async function saveTemplate(tx: Tx, template: TaskTemplate): Promise<void> {
  const { name, description } = template;
  const columns = { name, description, fields: JSON.stringify(template.fields) };
  await tx
    .insertInto('templates')
    .values({ id: template.id, ...columns, created_at: transactionTime(tx) })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

export async function findTemplate(db: Reader, id: string): Promise<TaskTemplate | null> {
  const row = await db.selectFrom('templates').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

export async function findTemplateByName(db: Reader, name: string): Promise<TaskTemplate | null> {
  const row = await db.selectFrom('templates').selectAll().where('name', '=', name).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

export async function listTemplates(db: Reader): Promise<ReadonlyArray<TaskTemplate>> {
  const rows = await db.selectFrom('templates').selectAll().orderBy('id').execute();
  return rows.map(fromRow);
}

export async function deleteTemplate(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('templates').where('id', '=', id).execute();
}

function fromRow(row: TemplateRow): TaskTemplate {
  return {
    id: idOf('tpl', row.id),
    name: row.name,
    description: row.description,
    builtIn: false,
    fields: parseJson<TemplateFields>(row.fields, {}),
  };
}
