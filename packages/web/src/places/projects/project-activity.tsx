import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useEveryStatus } from '../../data/use-pipelines.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { OfTask } from '../../project/of-task.tsx';
import { Loading, LoadFailed } from '../../ui/notice.tsx';
import { eventWords } from '@attractor/api/shown';
import { Ago } from '../../ui/time.tsx';

const SHOWN = 20;

/** What happened in a project lately. */
export function ProjectActivity({ projectId }: { readonly projectId: string }) {
  const statuses = useEveryStatus();
  useAfterLog(['project', projectId, 'activity']);
  const activity = useAnswer(['project', projectId, 'activity'], () =>
    api.projects.activity(projectId, { limit: SHOWN }),
  );
  if (activity.state === 'loading') return <Loading />;
  if (activity.state === 'failed') return <LoadFailed error={activity.error} again={activity.again} />;
  return (
    <ol className="flex flex-col text-sm">
      {activity.value.map((event) => (
        <li key={event.seq} className="flex gap-x-3 py-0.5">
          <span className="w-20 shrink-0 text-faint">
            <Ago at={event.at} />
          </span>
          <span className="min-w-0 flex-1 break-words">
            <OfTask taskId={event.taskId} />
            {eventWords(event.summary, statuses)}
          </span>
        </li>
      ))}
      {activity.value.length === 0 ? <li className="text-soft">Nothing has happened yet.</li> : null}
    </ol>
  );
}
