import { keyOf, type PipelineStatus, type Task } from '@attractor/api';
import { api } from '../../data/api.ts';
import { showControls, typeset } from '../../ui/plain-text.ts';
import { toast } from '../../ui/toast.tsx';

/** Moves a task to another status; says why if that is refused, and offers the way back if not. */
export function useMove(): (task: Task, to: PipelineStatus) => Promise<void> {
  return async (task, to) => {
    const moved = await api.tasks.transition(task.id, { to: to.id });
    if (!moved.ok) return toast(typeset(`${keyOf(task)} stays: ${moved.error.message}`), { isBad: true });
    toast(showControls(`${keyOf(task)} moved to ${to.label}`), {
      undo: () =>
        void api.tasks.reopen(task.id, { to: task.status }).then((back) => {
          if (!back.ok) toast(typeset(back.error.message), { isBad: true });
        }),
    });
  };
}
