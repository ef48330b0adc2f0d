import { findPrompt, leaveWaiting } from '@attractor/store';
import { LetGo, type RunContext } from '../run-context/run-context.ts';
import { waitingFor } from './wait-for-answer.ts';

/**
 * Leaves a run to the answers that it waits for: from here on it is a row. Called when nothing of it is open any more, because the next
 * worker may begin with the answer. If one came meanwhile the job is still this worker's, which returns it to the queue.
 */
export async function leaveToAnswer(context: RunContext, promptIds: ReadonlyArray<string>): Promise<void> {
  try {
    await context.transact(async (tx) => {
      const prompts = await Promise.all(promptIds.map((id) => findPrompt(tx, id)));
      const pending = prompts.flatMap((prompt) => (prompt?.status === 'pending' ? [prompt] : []));
      const [first] = pending;
      if (first !== undefined && pending.length === promptIds.length)
        await leaveWaiting(tx, context.claim, waitingFor(first));
    });
  } catch (error) {
    if (!(error instanceof LetGo)) throw error;
  }
}
