import { listPrompts, listRuns, type Reader, refuse } from '@attractor/store';

/** Null if no agent is on the task. Otherwise why that has to wait, with the command that ends the wait. */
export async function refuseAtWork(db: Reader, taskId: string): Promise<ReturnType<typeof refuse> | null> {
  const [run] = await listRuns(db, { taskId, status: 'running' });
  if (run === undefined) return null;
  const [asked] = await listPrompts(db, { runId: run.id, status: 'pending' });
  const stop = `stop it ("attractor runs stop ${run.key}")`;
  const message =
    asked === undefined
      ? `An agent is already working on this task (${run.key}): wait for it, or ${stop}.`
      : `The agent on this task (${run.key}) waits for an answer: give it ("attractor prompts get ${asked.key}"), or ${stop}.`;
  return refuse('blocked', message, { run });
}
