import { done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { isTimeZone } from '@attractor/analytics';
import {
  isReached,
  readAccount,
  stateOf,
  nameBudget,
  type BudgetInput,
  type BudgetScope,
  type BudgetState,
} from '@attractor/run';
import { toNano } from '@attractor/analytics';
import {
  type Actor,
  appendEvents,
  type BudgetRow,
  findProject,
  findTask,
  listPrompts,
  type Prompt,
  type Reader,
  refuse,
  type Result,
  type Store,
  transactionTime,
  type Tx,
  deleteBudget as deleteRow,
  findBudget,
  findBudgetFor,
  listBudgets as listRows,
  NO_PROJECT,
  saveBudget,
} from '@attractor/store';
import { withdrawPrompts } from '@attractor/pipeline';

export async function listBudgets(
  db: Reader,
  filter: { readonly scope?: BudgetScope; readonly subjectId?: string },
): Promise<ReadonlyArray<BudgetState>> {
  const now = new Date().toISOString();
  const states: BudgetState[] = [];
  for (const row of await listRows(db, filter)) states.push(stateOf(await readAccount(db, row, now)));
  return states;
}

export function setBudget(store: Store, input: BudgetInput, actor: Actor): Promise<Result<BudgetState>> {
  return store.transact(async (tx) => {
    const problem = judgeInput(input);
    if (problem !== null) return refuse('invalid', problem);
    const subject = await findSubject(tx, input);
    if (!subject.ok) return subject;
    const period = input.period ?? 'total';
    const there = await findBudgetFor(tx, { scope: input.scope, subject_id: subject.value.id, period });
    const row = mergeRow(input, { there, subjectId: subject.value.id, now: transactionTime(tx) });
    if (row.limit_nano === null && row.limit_tokens === null)
      return refuse('invalid', 'A budget needs a limit: give limitUsd, limitTokens, or both.');
    await saveBudget(tx, row);
    const account = await readAccount(tx, row, row.updated_at);
    if (!isReached(account)) await withdrawBudgetPrompts(tx, row.id, actor);
    const state = stateOf(account);
    await appendEvents(tx, [
      {
        ...subject.value.place,
        type: 'budget.saved',
        summary: `Set: ${nameBudget(row)}`,
        data: { budget: state },
        actor,
      },
    ]);
    return done(state);
  });
}

/** Nobody has to be asked for more where there is enough: the runs that waited for it go on. */
async function withdrawBudgetPrompts(tx: Tx, budgetId: string, actor: Actor): Promise<void> {
  const asks = (prompt: Prompt): boolean => prompt.type === 'budget' && prompt.payload.budgetId === budgetId;
  const pending = await listPrompts(tx, { status: 'pending' });
  for (const taskId of new Set(pending.filter(asks).map((prompt) => prompt.taskId))) {
    const task = await findTask(tx, taskId);
    if (task !== null) await withdrawPrompts(tx, { taskId, only: asks }, { projectId: task.projectId, actor });
  }
}

/** Kept in billionths, sums of it stay exact. */
const MOST_USD = 1_000_000;

function judgeInput(input: BudgetInput): string | null {
  if (!['all', 'project', 'task'].includes(input.scope)) return 'The scope of a budget is all, project or task.';
  if (input.period !== undefined && !['total', 'day'].includes(input.period))
    return 'The period of a budget is total or day.';
  if (input.whenReached !== undefined && !['ask', 'stop'].includes(input.whenReached))
    return 'When a budget is reached, runs ask or stop.';
  if (input.timeZone !== undefined && !isTimeZone(input.timeZone))
    return `"${input.timeZone}" is not a time zone: give a name such as Europe/Berlin.`;
  for (const limit of [input.limitUsd, input.limitTokens])
    if (typeof limit === 'number' && !(Number.isFinite(limit) && limit > 0))
      return 'The limit of a budget is a number above 0.';
  if ((input.limitUsd ?? 0) > MOST_USD || (input.limitTokens ?? 0) > Number.MAX_SAFE_INTEGER)
    return 'The limit of a budget is at most 1,000,000 USD, in tokens at most 9,007,199,254,740,991.';
  return null;
}

type Subject = {
  readonly id: string;
  readonly place: { readonly projectId: string; readonly taskId?: string };
};

async function findSubject(tx: Tx, { scope, subjectId }: BudgetInput): Promise<Result<Subject>> {
  if (scope === 'all') return done({ id: '', place: { projectId: NO_PROJECT } });
  const id = subjectId ?? '';
  if (scope === 'project') {
    const project = await findProject(tx, id);
    if (project === null) return refuse('not_found', `There is no project ${id}.`);
    return done({ id: project.id, place: { projectId: project.id } });
  }
  const task = await findTask(tx, id);
  if (task === null) return refuse('not_found', `There is no task ${id}.`);
  return done({ id: task.id, place: { projectId: task.projectId, taskId: task.id } });
}

type Known = { readonly there: BudgetRow | null; readonly subjectId: string; readonly now: string };

/** Unnamed fields stay; a limit of null is removed. */
function mergeRow(input: BudgetInput, { there, subjectId, now }: Known): BudgetRow {
  const { limitUsd, limitTokens } = input;
  return {
    id: there?.id ?? newId('bud'),
    scope: input.scope,
    subject_id: subjectId,
    period: input.period ?? 'total',
    time_zone: input.timeZone ?? there?.time_zone ?? 'UTC',
    limit_nano:
      limitUsd === undefined ? (there?.limit_nano ?? null) : limitUsd === null ? null : Math.max(1, toNano(limitUsd)),
    limit_tokens:
      limitTokens === undefined ? (there?.limit_tokens ?? null) : limitTokens === null ? null : Math.ceil(limitTokens),
    when_reached: input.whenReached ?? there?.when_reached ?? 'stop',
    created_at: there?.created_at ?? now,
    updated_at: now,
  };
}

export function deleteBudget(store: Store, id: string, actor: Actor): Promise<Result<null>> {
  return store.transact(async (tx) => {
    const row = await findBudget(tx, id);
    if (row === null) return refuse('not_found', `There is no budget ${id}: see "attractor budgets list".`);
    await deleteRow(tx, id);
    await withdrawBudgetPrompts(tx, id, actor);
    const task = row.scope === 'task' ? await findTask(tx, row.subject_id) : null;
    const projectId = row.scope === 'project' ? row.subject_id : (task?.projectId ?? NO_PROJECT);
    await appendEvents(tx, [
      {
        projectId,
        ...(task === null ? {} : { taskId: task.id }),
        type: 'budget.deleted',
        summary: `Removed: ${nameBudget(row)}`,
        data: { budgetId: id },
        actor,
      },
    ]);
    return done(null);
  });
}
