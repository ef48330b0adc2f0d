import { keyOf } from '@attractor/api';
import { Link } from 'wouter';
import { useTaskList } from '../data/task-list.ts';

/** Which task it was done to, as long as there is one. */
export function OfTask({ taskId }: { readonly taskId: string | null }) {
  const list = useTaskList();
  const row = list.state === 'ready' && taskId !== null ? list.value.rows[taskId] : undefined;
  if (row === undefined) return null;
  return (
    <>
      <Link href={`/tasks/${keyOf(row.task)}`} className="text-soft underline underline-offset-2">
        {keyOf(row.task)}
      </Link>{' '}
    </>
  );
}
