import { newId } from '@attractor/base/id';
import { contentHash } from './content-hash.ts';
import { type PromptContent, type Prompt, type PromptAnswer, readPrompt } from '../types/index.ts';
import { idOf, parseJson } from '../database/json.ts';
import type { PromptRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';
import { wakeJob } from './jobs.ts';
import { nextPartKey } from './short-keys.ts';
import { unasked } from '../database/unasked.ts';

export type NewPrompt = Pick<Prompt, 'taskId' | 'runId' | 'title'> & PromptContent & { readonly key: string | null };

export async function insertPrompt(tx: Tx, prompt: NewPrompt): Promise<Prompt> {
  const { key: shortKey, number } = await nextPartKey(tx, prompt.taskId, 'prompts');
  const row: PromptRow = {
    id: newId('prm'),
    task_id: prompt.taskId,
    run_id: prompt.runId,
    key: prompt.key,
    type: prompt.type,
    title: prompt.title,
    payload: JSON.stringify(prompt.payload),
    content_hash: contentHash({ type: prompt.type, title: prompt.title, payload: prompt.payload }),
    status: 'pending',
    answer: null,
    created_at: transactionTime(tx),
    answered_at: null,
    short_key: shortKey,
    number,
  };
  await unasked(tx.insertInto('prompts').values(row));
  return promptOf(row);
}

export async function findPrompt(db: Reader, id: string): Promise<Prompt | null> {
  const row = await db.selectFrom('prompts').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : promptOf(row);
}

export async function findPromptByKey(db: Reader, runId: string, key: string): Promise<Prompt | null> {
  const row = await db
    .selectFrom('prompts')
    .selectAll()
    .where('run_id', '=', runId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row === undefined ? null : promptOf(row);
}

export type PromptFilter = {
  readonly taskId?: string;
  readonly runId?: string;
  readonly projectId?: string;
  readonly projectIds?: ReadonlyArray<string>;
  readonly status?: Prompt['status'];
  /** Only those that were asked after this one. */
  readonly after?: string;
};

/** The oldest first. */
export async function listPrompts(
  db: Reader,
  { limit, ...filter }: PromptFilter & { readonly limit?: number },
): Promise<ReadonlyArray<Prompt>> {
  const rows = await filtered(db, filter)
    .selectAll()
    .orderBy('id')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.map(promptOf);
}

/** How many there are, however many are listed. */
export async function countPrompts(db: Reader, filter: PromptFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst();
  return row?.count ?? 0;
}

function filtered(db: Reader, { taskId, runId, projectId, projectIds, status, after }: PromptFilter) {
  let query = db.selectFrom('prompts');
  if (taskId !== undefined) query = query.where('task_id', '=', taskId);
  if (runId !== undefined) query = query.where('run_id', '=', runId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (after !== undefined) query = query.where('id', '>', after);
  const projects = [
    ...(projectId === undefined ? [] : [[projectId]]),
    ...(projectIds === undefined ? [] : [projectIds]),
  ];
  for (const ids of projects)
    query = query.where('task_id', 'in', (sub) => sub.selectFrom('tasks').select('id').where('project_id', 'in', ids));
  return query;
}

/** Null if it is no longer pending: the first answer counts. A run that waited for it goes back into the queue. */
export async function closePrompt<PromptContent extends Prompt>(
  tx: Tx,
  prompt: PromptContent,
  close: { readonly answer: PromptAnswer } | 'cancelled',
): Promise<PromptContent | null> {
  const next: PromptContent = {
    ...prompt,
    status: close === 'cancelled' ? 'cancelled' : 'answered',
    answer: close === 'cancelled' ? null : close.answer,
    answeredAt: transactionTime(tx),
  };
  const result = await tx
    .updateTable('prompts')
    .set({
      status: next.status,
      answer: next.answer === null ? null : JSON.stringify(next.answer),
      answered_at: next.answeredAt,
    })
    .where('id', '=', prompt.id)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) return null;
  if (prompt.runId !== null) await wakeJob(tx, prompt.runId);
  return next;
}

export function promptOf(row: PromptRow): Prompt {
  return readPrompt({
    id: idOf('prm', row.id),
    taskId: idOf('tsk', row.task_id),
    runId: row.run_id === null ? null : idOf('run', row.run_id),
    type: row.type,
    title: row.title,
    payload: parseJson<Readonly<Record<string, unknown>>>(row.payload, {}),
    contentHash: row.content_hash,
    status: row.status,
    answer: parseJson<PromptAnswer | null>(row.answer, null),
    createdAt: row.created_at,
    answeredAt: row.answered_at,
    key: row.short_key,
  });
}
