import { Link } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { Loading, LoadFailed } from '../../ui/notice.tsx';
import { showControls } from '@attractor/api/shown';

/** Which tasks of a project wait for which. */
export function ProjectWaits({ projectId }: { readonly projectId: string }) {
  useAfterLog(['project', projectId, 'waits']);
  const graph = useAnswer(['project', projectId, 'waits'], () => api.dependencies.graph(projectId));
  if (graph.state === 'loading') return <Loading />;
  if (graph.state === 'failed') return <LoadFailed error={graph.error} again={graph.again} />;
  const { tasks, edges } = graph.value;
  const known = new Map<string, (typeof tasks)[number]>(tasks.map((task) => [task.id, task]));
  if (edges.length === 0) return <p className="text-sm text-soft">No task waits for another.</p>;
  return (
    <ul className="flex flex-col text-sm">
      {edges.map(({ taskId, dependsOnId }) => (
        <li key={`${taskId} ${dependsOnId}`} className="flex flex-wrap gap-x-2">
          <TaskName task={known.get(taskId)} /> <span className="text-soft">waits for</span>{' '}
          <TaskName task={known.get(dependsOnId)} />
        </li>
      ))}
    </ul>
  );
}

function TaskName({ task }: { readonly task: { readonly key: string; readonly title: string } | undefined }) {
  if (task === undefined) return null;
  return (
    <span className="min-w-0 break-words">
      <Link href={`/tasks/${task.key}`} className="underline underline-offset-2">
        {task.key}
      </Link>{' '}
      {showControls(task.title)}
    </span>
  );
}
