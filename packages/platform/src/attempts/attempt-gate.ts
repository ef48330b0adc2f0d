import { findAttempt, type StartGate } from '@attractor/store';
import { judgeAttempts } from './judge-attempts.ts';

/**
 * An attempt that is done rests in the queue until the others are done too. Whoever looks for work when the last one has ended judges
 * them, however it ended: there is no moment at which nobody would.
 */
export const attemptGate: StartGate = async (tx, run) => {
  const attempt = await findAttempt(tx, run.id);
  if (attempt === null || attempt.score === null) return null;
  const group = await judgeAttempts(tx, attempt.group_id);
  if (group?.winner_run_id === run.id) return null;
  return { code: 'attempts', message: 'Done; waits for the other attempts at this task.' };
};
