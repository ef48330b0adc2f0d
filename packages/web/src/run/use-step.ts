import type { NextStep } from '@attractor/api';
import { api, takeStep } from '../data/api.ts';
import { typeset } from '@attractor/api/shown';
import { toast } from '../ui/toast.tsx';
import { useCommand } from '../ui/use-command.ts';

/** Takes a next step: at once, with a way back where there is one. */
export function useStep(onTaken?: () => void) {
  const { busy, error, run } = useCommand();
  const take = async ({ label, call }: NextStep) => {
    if (call === null || (await run(() => takeStep(call))) === null) return false;
    toast(typeset(`Done: ${label}`), undoOf(call));
    onTaken?.();
    return true;
  };
  /** A new commit takes back what was done before; the branch keeps both. */
  const takeFresh = async (taskId: string, step: NextStep) =>
    (await run(() => api.branches.rollBack(taskId))) !== null && take(step);
  return { busy, error, take, takeFresh };
}

/** What was closed can be opened again. */
function undoOf({ path }: NonNullable<NextStep['call']>): { readonly undo?: () => void } {
  if (!path.endsWith('/close')) return {};
  const reopen = { method: 'POST', path: path.replace(/close$/, 'reopen'), body: {} } as const;
  return {
    undo: () =>
      void takeStep(reopen).then((answer) => {
        if (!answer.ok) toast(typeset(answer.error.message), { isBad: true });
      }),
  };
}

/** Besides the answers to questions, which have forms of their own. */
export function isShownStep({ call }: NextStep): boolean {
  return !(call?.path.startsWith('/api/prompts/') ?? false);
}
