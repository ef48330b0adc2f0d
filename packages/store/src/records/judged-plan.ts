import type { Reader } from '../database/store.ts';
import type { Criterion } from '../types/criterion.ts';
import type { Deviation } from '../types/plan/index.ts';
import { listEvents } from './events.ts';

/** How work compares with its plan: each entry with what shows it or not, and where the two differ. */
export type JudgedPlan = {
  readonly items: ReadonlyArray<Pick<Criterion, 'number' | 'text' | 'state' | 'detail'>>;
  readonly deviations: ReadonlyArray<Deviation>;
};

/** As the newest work on a task was held against its plan; null if none was. */
export async function lastJudgedPlan(
  read: Reader,
  taskId: string,
): Promise<(JudgedPlan & { readonly runId: string | null }) | null> {
  const [judged] = await listEvents(read, { taskId, type: 'plan.judged', from: 'newest', limit: 1 });
  if (judged?.type !== 'plan.judged') return null;
  const { items, deviations } = judged.data;
  return { items, deviations, runId: judged.runId };
}
