import { newId } from '@attractor/base/id';
import { firstWay, moveTo, readOptions } from '@attractor/pipeline';
import { type Actor, type NewTask, refuse, type Result, type Store, type Task } from '@attractor/store';
import { createIn, fillIn } from './tasks.ts';

/** `straight`: the agent begins with the work, without a plan. */
type StartCoding = NewTask & { readonly straight?: boolean };

/** Makes a task and sets the first agent of its pipeline to work on it: both, or neither. */
export async function startCoding(
  store: Store,
  { straight = false, ...input }: StartCoding,
  by: { readonly actor: Actor; readonly defaultAgentType: string },
): Promise<Result<Task>> {
  const filled = await fillIn(store.read, input);
  if (!filled.ok) return filled;
  return store.transact(async (tx) => {
    const created = await createIn(tx, { ...filled.value, id: newId('tsk') }, by.actor);
    if (!created.ok) return created;
    const { task, pipeline } = created.value;
    const trigger = { type: 'manual' } as const;
    const to = firstWay({ pipeline, options: await readOptions(tx, task, { pipeline, trigger }) }, { straight });
    if (to === null) return refuse('invalid', `${noWay(pipeline.name, straight)} See: attractor pipelines list`);
    return moveTo(tx, { task, pipeline, to }, { trigger, ...by });
  });
}

function noWay(pipeline: string, straight: boolean): string {
  return straight
    ? `In the pipeline "${pipeline}" no agent starts without a plan.`
    : `In the pipeline "${pipeline}" no agent starts by itself. Choose another pipeline.`;
}
