import type { AgentRunOptions } from '@attractor/adapters';
import { stageLimit, stageOf } from '@attractor/pipeline';
import { readChangedFiles, readFilesOf } from '@attractor/repository';
import { findTask, planIn } from '@attractor/store';
import { resultOf, type RunContext } from '../run-context/run-context.ts';

/** What the run is limited to because it is a stage of the work; undefined: it is none. */
export async function limitOf(context: RunContext): Promise<AgentRunOptions['limit']> {
  const stage = stageOf(context.request.hookParams['stage']);
  if (stage === null) return undefined;
  const { path, baseCommit, head } = resultOf(context, 'prepare').worktree;
  const [base, start] = await Promise.all([readFilesOf(path, baseCommit), readFilesOf(path, head)]);
  if (base === null || start === null) throw new Error(`The files of ${path} can't be listed`);
  const task = await findTask(context.services.store.read, context.task.id);
  return stageLimit(stage, { base, start, plan: planIn(task?.plan ?? null) });
}

/** Why the files are not the stage's that were changed in it all the same, up to a commit. */
export async function beyondStage(context: RunContext, to: string): Promise<ReadonlyArray<string>> {
  const limit = await limitOf(context);
  if (limit === undefined) return [];
  const { path, head } = resultOf(context, 'prepare').worktree;
  const changed = await readChangedFiles(path, { from: head, to });
  if (changed === null) throw new Error(`What was changed in ${path} can't be read`);
  return [...changed.keys()].flatMap((file) => limit.refuses(file) ?? []);
}
