import type { Store } from '@attractor/store';
import type { SpendFilter } from './spend.ts';
import { type SlotRange, timeOfSlot } from './spend-range.ts';

export type Asked = { readonly filter: SpendFilter; readonly range: SlotRange };

/** The runs that a filter means, by the time at which each was started. */
export function matching({ read }: Pick<Store, 'read'>, { filter, range }: Asked) {
  let query = read.selectFrom('runs');
  if (filter.projectId !== undefined) query = query.where('runs.project_id', '=', filter.projectId);
  if (filter.taskId !== undefined) query = query.where('runs.task_id', '=', filter.taskId);
  if (filter.agentType !== undefined) query = query.where('runs.agent_type', '=', filter.agentType);
  if (filter.model !== undefined) query = query.where('runs.model', '=', filter.model);
  if (range.from !== null) query = query.where('runs.started_at', '>=', timeOfSlot(range.from));
  if (range.to !== null) query = query.where('runs.started_at', '<', timeOfSlot(range.to));
  return query;
}
