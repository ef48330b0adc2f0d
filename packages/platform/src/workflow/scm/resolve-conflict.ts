import { done } from '@attractor/base';
import { startRun } from '@attractor/pipeline';
import type { BranchUpdate, OfTask, TaskPlace } from '@attractor/repository';
import { type Actor, type AgentRun, appendEvents, type Reader, type Result, type Tx } from '@attractor/store';
import { findStartable, moveAlong } from '../runs/runs.ts';
import { reopenIn } from '../tasks/reopen.ts';
import { findTaskAndPipeline } from '../tasks/tasks.ts';
import type { Resolving } from './contract.ts';
import { isAccepting } from '../tasks/accepting.ts';
import { onPlace, type ScmOptions } from './on-place.ts';
import { bringUpToDate } from './update-branch.ts';

/** The base comes into the branch with its conflicts marked; an agent that is told so starts along the pipeline. */
export function resolveConflict(options: ScmOptions, of: OfTask, actor: Actor): Promise<Result<Resolving>> {
  const { store, defaultAgentType } = options;
  return onPlace<Resolving>(options, of, async (project, place) => {
    const startable = await judgeStart(store.read, place.task.id);
    if (!startable.ok) return startable;
    const update = await bringUpToDate(options, { project, place, actor, onConflict: 'mark' });
    if (!update.ok) return update;
    if (update.value.how !== 'marked') return done({ update: update.value, run: null });
    const run = await store.transact((tx) =>
      startResolving(tx, { place, update: update.value }, { actor, defaultAgentType }),
    );
    return run.ok ? done({ update: update.value, run: run.value }) : run;
  });
}

type By = { readonly actor: Actor; readonly defaultAgentType: string };
type Marked = { readonly place: TaskPlace; readonly update: BranchUpdate };

async function startResolving(tx: Tx, { place, update }: Marked, by: By): Promise<Result<AgentRun>> {
  const { task, baseBranch } = place;
  const found = await startableOf(tx, task.id, by.actor);
  if (!found.ok) return found;
  await appendEvents(tx, [
    {
      projectId: task.projectId,
      taskId: task.id,
      type: 'changes.requested',
      summary: `Resolve the conflicts with ${baseBranch}`,
      data: { message: whatToDo(baseBranch, update.conflicts ?? []), answers: [] },
      actor: by.actor,
    },
  ]);
  const begun = await moveAlong(tx, { ...found.value, mode: 'implement' }, by);
  if (!begun.ok) return begun;
  return done(await startRun(tx, { ...begun.value, mode: 'implement', overrides: {}, ...by }));
}

/** Before the branch is touched: whether an agent could start. */
async function judgeStart(db: Reader, taskId: string): ReturnType<typeof findStartable> {
  const found = await findTaskAndPipeline(db, taskId);
  return !found.ok || isAccepting(found.value.task.status, found.value.pipeline) ? found : findStartable(db, taskId);
}

/** Accepted work that could not be merged is open again: what the agent makes of it has to be reviewed. */
async function startableOf(tx: Tx, taskId: string, actor: Actor): ReturnType<typeof findStartable> {
  const found = await findTaskAndPipeline(tx, taskId);
  if (!found.ok || !isAccepting(found.value.task.status, found.value.pipeline)) return findStartable(tx, taskId);
  const opened = await reopenIn(tx, { taskId, reason: 'It conflicts with its base.' }, actor);
  return opened.ok ? findStartable(tx, taskId) : opened;
}

function whatToDo(base: string, files: ReadonlyArray<string>): string {
  return `${base} changed the same lines as this branch. It was merged into the branch, and the conflicts are marked (<<<<<<<, =======, >>>>>>>) in: ${files.join(', ')}. Resolve each of them so that the intent of both sides is kept, remove every mark, and make sure that the project's checks pass. A file that one side deleted has no marks: decide whether it stays.`;
}
