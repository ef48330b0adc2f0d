import type { QueueState } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useMay } from '../../data/role.tsx';
import { useIsUnderWay } from '../../data/task-list.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { Button } from '../../ui/button.tsx';
import { Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showControls, typeset } from '../../ui/plain-text.ts';
import { Ago } from '../../ui/time.tsx';
import { useCommand } from '../../ui/use-command.ts';
import { QueueLimits } from './queue-limits.tsx';

/** What runs, what waits for its turn and why; the whole queue can be held. */
export function QueuePanel() {
  const cache = useQueryClient();
  useAfterLog(['queue']);
  const isUnderWay = useIsUnderWay();
  const queue = useAnswer(['queue'], () => api.queue.state(), isUnderWay ? { every: 15_000 } : {});
  const { busy, error, run } = useCommand();
  const may = useMay('operator');
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
          disabled={busy}
          title="Starts nothing more; what runs may end"
          onClick={() => void run(() => api.queue.drain({ patienceMs: 0 })).then(put)}
        >
          Drain
        </Button>
      )}
      <Button
        kind="quiet"
        className="-mr-3"
        disabled={busy}
        onClick={() => void run(() => (isPaused ? api.queue.resume() : api.queue.pause())).then(put)}
      >
        {isPaused ? 'Let the queue go on' : 'Hold the queue'}
      </Button>
    </span>
  );
  return (
    <div className="mt-4">
      <Panel title="Queue" side={side}>
        <p className="text-sm text-soft">
          {isPaused ? 'Held. ' : ''}
          {running} running, {queued} queued, {waiting} waiting for a person.
        </p>
        <ul className="mt-2 flex flex-col gap-1 text-sm">
          {jobs.slice(0, 20).map(({ jobId, key, state, agentType, blocked, createdAt }) => (
            <li key={jobId} className="flex flex-wrap gap-x-4">
              <span className="w-24 font-medium">{key}</span>
              <span className="w-16">{state}</span>
              <span className="text-soft sm:w-28">{showControls(agentType)}</span>
              <span className="text-soft sm:w-24">
                <Ago at={createdAt} />
              </span>
              {blocked === null ? null : <span className="text-wait">{typeset(blocked.message)}</span>}
            </li>
          ))}
        </ul>
        <Refused error={error} />
        <QueueLimits limits={limits} onChanged={put} />
      </Panel>
    </div>
  );
}
