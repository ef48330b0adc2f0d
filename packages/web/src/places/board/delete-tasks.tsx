import type { Task } from '@attractor/api';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { showControls } from '../../ui/plain-text.ts';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';

type DeleteTasksProps = { readonly tasks: ReadonlyArray<Task>; readonly onDone: () => void };

/** Removes several tasks for good. */
export function DeleteTasks({ tasks, onDone }: DeleteTasksProps) {
  const { busy, error, run } = useCommand();
  const [isAsked, ask] = useState(false);
  const remove = async () => {
    const result = await run(() => api.tasks.bulkDelete(tasks.map(({ id }) => id)));
    if (result === null) return;
    const [first] = result.refused;
    const refused = first === undefined ? '' : `; ${result.refused.length} refused: ${first.message}`;
    toast(showControls(`${result.done.length} deleted${refused}`), { isBad: result.done.length === 0 });
    ask(false);
    onDone();
  };
  return (
    <>
      <Button kind="danger" onClick={() => ask(true)}>
        Delete
      </Button>
      {isAsked ? (
        <Confirm
          title={`Delete ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}`}
          act="Delete"
          busy={busy}
          error={error}
          onConfirm={() => void remove()}
          onClose={() => ask(false)}
        >
          They go with their runs, questions and files, and nobody can bring them back. Their branches stay.
        </Confirm>
      ) : null}
    </>
  );
}
