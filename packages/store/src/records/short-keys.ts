import { done } from '@attractor/base';
import type { Reader, Tx } from '../database/store.ts';
import { refuse, type Result } from '../types/refusal.ts';
import { freeProjectKey, isProjectKey, type ReadKey } from '../types/short-key.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';

/** Reserves a prefix that is made from the project's name, in the transaction that adds the project. */
export async function chooseProjectKey(db: Reader, name: string): Promise<string> {
  const taken = new Set((await db.selectFrom('project_keys').select('key').execute()).map(({ key }) => key));
  return freeProjectKey(name, (key) => taken.has(key));
}

export async function keepProjectKey(tx: Tx, projectId: string, key: string): Promise<void> {
  await tx.insertInto('project_keys').values({ key, project_id: projectId }).execute();
}

/** Everything in the project is called by the new prefix; names with an earlier one still lead to it, and to nothing else. */
export async function changeProjectKey(
  tx: Tx,
  project: { readonly id: string; readonly key: string },
  wanted: string,
): Promise<Result<string>> {
  const key = wanted.toUpperCase();
  if (!isProjectKey(key))
    return refuse(
      'invalid',
      `A key is 2 to 10 letters and digits and begins with a letter, such as ATT; "${wanted}" is not.`,
    );
  if (key === project.key) return done(key);
  const owner = await tx.selectFrom('project_keys').select('project_id').where('key', '=', key).executeTakeFirst();
  if (owner !== undefined && owner.project_id !== project.id)
    return refuse('conflict', `The key ${key} belongs, or belonged, to another project. Choose another one.`);
  if (owner === undefined) await keepProjectKey(tx, project.id, key);
  await tx.updateTable('projects').set({ key }).where('id', '=', project.id).execute();
  await renumber(tx, { projectId: project.id, key });
  return done(key);
}

async function renumber(
  tx: Tx,
  { projectId, key }: { readonly projectId: string; readonly key: string },
): Promise<void> {
  const tasks = await tx.selectFrom('tasks').select(['id', 'number']).where('project_id', '=', projectId).execute();
  for (const { id, number } of tasks) {
    const own = `${key}-${number}`;
    await tx.updateTable('tasks').set({ key: own }).where('id', '=', id).execute();
    const runs = await tx.selectFrom('runs').select(['id', 'number']).where('task_id', '=', id).execute();
    for (const run of runs)
      await tx
        .updateTable('runs')
        .set({ key: `${own}.${run.number}` })
        .where('id', '=', run.id)
        .execute();
    const prompts = await tx.selectFrom('prompts').select(['id', 'number']).where('task_id', '=', id).execute();
    for (const prompt of prompts)
      await tx
        .updateTable('prompts')
        .set({ short_key: `${own}.q${prompt.number}` })
        .where('id', '=', prompt.id)
        .execute();
  }
}

export type GivenKey = { readonly number: number; readonly key: string };

/** The next number of the project: given once, also if the task that had it is gone. */
export async function nextTaskKey(tx: Tx, projectId: string): Promise<GivenKey> {
  const [given] = (await nextNumber(tx, { projectId })).rows;
  if (given === undefined) throw new Error(`There is no project ${projectId}`);
  return { number: given.last_number, key: `${given.key}-${given.last_number}` };
}

const nextNumber = compiledOnce((db, { projectId }: Given<{ projectId: string }>) =>
  db
    .updateTable('projects')
    .set((row) => ({ last_number: row('last_number', '+', 1) }))
    .where('id', '=', projectId)
    .returning(['key', 'last_number']),
);

/** Runs and questions end only with their task: the next number is one more than the highest. */
export async function nextPartKey(tx: Tx, taskId: string, table: 'runs' | 'prompts'): Promise<GivenKey> {
  const { key } = await tx.selectFrom('tasks').select('key').where('id', '=', taskId).executeTakeFirstOrThrow();
  const last = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.max<number | null>('number').as('number'))
    .where('task_id', '=', taskId)
    .executeTakeFirst();
  const number = (last?.number ?? 0) + 1;
  return { number, key: table === 'runs' ? `${key}.${number}` : `${key}.q${number}` };
}

/** The id of what is called so, under the project's prefix of now or an earlier one. */
export async function findIdByKey(db: Reader, { kind, prefix, task, part }: ReadKey): Promise<string | null> {
  const row = await db
    .selectFrom('tasks')
    .innerJoin('project_keys', 'project_keys.project_id', 'tasks.project_id')
    .select('tasks.id')
    .where('project_keys.key', '=', prefix)
    .where('tasks.number', '=', task)
    .executeTakeFirst();
  if (row === undefined || kind === 'tsk') return row?.id ?? null;
  const own = await db
    .selectFrom(kind === 'run' ? 'runs' : 'prompts')
    .select('id')
    .where('task_id', '=', row.id)
    .where('number', '=', part)
    .executeTakeFirst();
  return own?.id ?? null;
}
