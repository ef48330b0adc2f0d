import type { Task } from '@attractor/api';
import { Dependencies } from './dependencies.tsx';
import { Subtasks } from './subtasks.tsx';

/** What is loaded after the page: the tasks that belong to this one. */
export function RailMore({ task }: { readonly task: Task }) {
  return (
    <>
      <Subtasks taskId={task.id} />
      <Dependencies task={task} />
    </>
  );
}
