import { keyOf, type PipelineStatus, type Task } from '@attractor/api';
import { api } from '../../data/api.ts';
import { showControls, typeset } from '@attractor/api/shown';
import { toast } from '../../ui/toast.tsx';

/** Moves a task to another of these statuses; says why if that is refused, and offers the way back if not. */
export function useMove(statuses: ReadonlyArray<PipelineStatus>): (task: Task, to: PipelineStatus) => Promise<void> {
  return async (task, to) => {
    const moved = await api.tasks.transition(task.id, { to: to.id });
    if (!moved.ok) {
      const why = await whyNot({ task, to: to.id, statuses }, moved.error.message);
      return toast(typeset(`${keyOf(task)} was not moved: ${why}`), { isBad: true });
    }
    toast(showControls(`${keyOf(task)} moved to ${to.label}`), {
      undo: () =>
        void api.tasks.reopen(task.id, { to: task.status }).then((back) => {
          if (!back.ok) toast(typeset(back.error.message), { isBad: true });
        }),
    });
  };
}

type Refused = { readonly task: Task; readonly to: string; readonly statuses: ReadonlyArray<PipelineStatus> };

/** Where no way leads, the server names statuses as commands do; people know them by their labels. */
export async function whyNot({ task, to, statuses }: Refused, said: string): Promise<string> {
  const options = await api.tasks.transitions(task.id);
  if (!options.ok || options.value.some(({ transition }) => transition.to === to)) return said;
  const labelOf = (id: string) => statuses.find((status) => status.id === id)?.label ?? id;
  const open = [...new Set(options.value.map(({ transition }) => labelOf(transition.to)))];
  const onward =
    open.length === 0 ? 'No transition leads on from there.' : `From there it can go to ${open.join(', ')}.`;
  return showControls(`no transition leads from “${labelOf(task.status)}” to “${labelOf(to)}”. ${onward}`);
}
