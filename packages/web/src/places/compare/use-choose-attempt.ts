import { keyOf, type AgentRun, type AttemptGroup } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../data/api.ts';
import { typeset } from '@attractor/api/shown';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';

/** Takes an attempt at once, with the way back to the one before. */
export function useChooseAttempt(group: AttemptGroup | null) {
  const cache = useQueryClient();
  const { busy, error, run } = useCommand();
  const look = () => void cache.invalidateQueries({ queryKey: ['attempts'] });
  const choose = async (wanted: AgentRun) => {
    if (group === null || (await run(() => api.attempts.choose(group.id, wanted.id))) === null) return;
    look();
    const before = group.attempts.find((attempt) => attempt.run.id === group.winnerRunId)?.run;
    const undo = before === undefined ? {} : { undo: () => void takeBack(group.id, before).then(look) };
    toast(`${keyOf(wanted)} is on the task’s branch now`, undo);
  };
  const stop = async () => {
    if (group !== null && (await run(() => api.attempts.cancel(group.id))) !== null) look();
  };
  return { busy, error, choose, stop };
}

async function takeBack(groupId: string, before: AgentRun): Promise<void> {
  const answer = await api.attempts.choose(groupId, before.id);
  if (answer.ok) toast(`${keyOf(before)} is on the task’s branch again`);
  else toast(typeset(answer.error.message), { isBad: true });
}
