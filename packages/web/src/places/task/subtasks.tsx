import { Link } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { Panel } from '../../ui/panel.tsx';
import { showControls } from '@attractor/api/shown';

/** The parts that a task was split into. Nothing for a task that is whole. */
export function Subtasks({ taskId }: { readonly taskId: string }) {
  useAfterLog(['subtasks', taskId]);
  const split = useAnswer(['subtasks', taskId], () => api.tasks.split(taskId));
  if (split.state !== 'ready' || split.value === null) return null;
  const { subtasks, settledAt } = split.value;
  return (
    <Panel title="Subtasks">
      <ul className="text-sm">
        {subtasks.map(({ name, key, title }) => (
          <li key={name} className="flex min-h-7 items-center gap-2">
            <Link href={`/tasks/${key}`} className="shrink-0 underline underline-offset-2">
              {key}
            </Link>
            <span className="min-w-0 truncate">{showControls(title)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-sm text-soft">{settledAt === null ? 'Waits for them.' : 'All are settled.'}</p>
    </Panel>
  );
}
