import { findAttempt, type StartGate } from '@attractor/store';
import { judgeAttempts } from './judge-attempts.ts';

/**
 * A finished attempt rests in the queue until the others are finished too. The next worker to look for work after the last one ended judges
 * them, however it ended, so the judgement can't be missed.
 */
export const attemptGate: StartGate = async (tx, run) => {
  const attempt = await findAttempt(tx, run.id);
  if (attempt === null || attempt.score === null) return null;
  const group = await judgeAttempts(tx, attempt.group_id);
  if (group?.winner_run_id === run.id) return null;
  return { code: 'attempts', message: 'Done; waiting for the other attempts at this task.' };
};
