import type { QueueState } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useMay } from '../../data/role.tsx';
import { useIsUnderWay, useTaskList } from '../../data/task-list.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { Button } from '../../ui/button.tsx';
import { Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showControls, typeset } from '@attractor/api/shown';
import { runStatus, StatusIcon, STEP_STATUS, WAITING } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';
import { useCommand } from '../../ui/use-command.ts';
import { QueueLimits } from './queue-limits.tsx';

const STATES = {
  running: STEP_STATUS.running,
  queued: runStatus('running', []),
  waiting: WAITING,
} as const satisfies Record<QueueState['jobs'][number]['state'], unknown>;

/** What runs, what waits for its turn and why; the whole queue can be held. */
export function QueuePanel() {
  const cache = useQueryClient();
  useAfterLog(['queue']);
  const isUnderWay = useIsUnderWay();
  const queue = useAnswer(['queue'], () => api.queue.state(), isUnderWay ? { every: 15_000 } : {});
  const { busy, error, run } = useCommand();
  const may = useMay('operator');
  const list = useTaskList();
  const rows = list.state === 'ready' ? list.value.rows : undefined;
  if (queue.state !== 'ready') return null;
  const { isPaused, running, queued, waiting, jobs, limits } = queue.value;
  const put = (next: QueueState | null) => {
    if (next !== null) cache.setQueryData(['queue'], next);
  };
  const side = !may ? null : (
    <span className="flex flex-wrap">
      {isPaused ? null : (
        <Button
          kind="quiet"
          isBusy={busy}
          title="Starts no more runs; running ones continue"
          onClick={() => void run(() => api.queue.drain({ patienceMs: 0 })).then(put)}
        >
          Drain
        </Button>
      )}
      <Button
        kind="quiet"
        className="-mr-3"
        isBusy={busy}
        onClick={() => void run(() => (isPaused ? api.queue.resume() : api.queue.pause())).then(put)}
      >
        {isPaused ? 'Resume the queue' : 'Pause the queue'}
      </Button>
    </span>
  );
  return (
    <div className="mt-4">
      <Panel title="Queue" side={side} flush>
        <p className="px-4 py-2.5 text-sm text-soft">
          {isPaused ? 'Paused. ' : ''}
          {running} running, {queued} queued, {waiting} waiting for a person.
        </p>
        <ul className="rows border-t border-line text-sm empty:hidden">
          {jobs.slice(0, 20).map((job) => (
            <JobLine key={job.jobId} job={job} title={rows?.[job.taskId]?.task.title ?? ''} />
          ))}
        </ul>
        <div className="px-4 pb-3">
          <Refused error={error} />
          <QueueLimits limits={limits} onChanged={put} />
        </div>
      </Panel>
    </div>
  );
}

function JobLine({ job, title }: { readonly job: QueueState['jobs'][number]; readonly title: string }) {
  const status = STATES[job.state];
  return (
    <li className="flex flex-wrap items-center gap-x-4">
      <Link href={`/runs/${job.key}`} className="tap sm:w-20 underline underline-offset-2">
        {job.key}
      </Link>
      <span title={showControls(title)} className="min-w-0 flex-1 truncate font-medium">
        {showControls(title)}
      </span>
      <span className="flex items-center gap-1.5 max-sm:order-last max-sm:basis-full sm:w-44">
        <StatusIcon status={status} />
        {status.label}
      </span>
      <span className="truncate text-soft max-sm:hidden sm:w-28">{showControls(job.agentType)}</span>
      <span className="text-faint sm:w-24 sm:text-right">
        <Ago at={job.createdAt} />
      </span>
      {job.blocked === null ? null : (
        <span className="order-last w-full pb-1 text-wait sm:pl-24">{typeset(job.blocked.message)}</span>
      )}
    </li>
  );
}
