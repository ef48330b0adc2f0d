import type { Task } from '@attractor/platform';
import { valueOf } from '@attractor/console/lines';
import type { Call } from '../../verbs/verb.ts';

const MOST = 1000;

/** Oldest first, as they were made. */
export async function subtasksOf({ client }: Pick<Call, 'client'>, taskId: string): Promise<ReadonlyArray<Task>> {
  return valueOf(await client.tasks.list({ parentTaskId: taskId, limit: MOST })).toReversed();
}
