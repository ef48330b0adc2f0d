import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useEveryStatus } from '../../data/use-pipelines.ts';
import { OfTask } from '../../project/of-task.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { eventWords, showControls } from '@attractor/api/shown';
import { Ago } from '../../ui/time.tsx';

const SHOWN = 20;

/** Who did what, the newest first. */
export function Audit() {
  const statuses = useEveryStatus();
  const [limit, setLimit] = useState(SHOWN);
  const entries = useAnswer(['server', 'audit', limit], () => api.audit.list({ limit }));
  if (entries.state !== 'ready') return null;
  return (
    <Panel title="Who did what" flush>
      <ol className="text-sm">
        {entries.value.map(({ id, at, person, via, summary, taskId }) => (
          <li
            key={id}
            className="flex flex-wrap items-baseline gap-x-3 border-t border-line px-4 py-1.5 first:border-t-0"
          >
            <span className="min-w-0 basis-full break-words md:flex-1 md:basis-0">
              <OfTask taskId={taskId} />
              {eventWords(summary, statuses)}
            </span>
            <span className="text-soft md:w-32">{showControls(via === null ? person : `${person} (${via})`)}</span>
            <span className="text-faint md:w-20 md:text-right">
              <Ago at={at} />
            </span>
          </li>
        ))}
      </ol>
      {entries.value.length < limit ? null : (
        <Button kind="quiet" className="m-1" onClick={() => setLimit(limit * 5)}>
          Show earlier ones
        </Button>
      )}
    </Panel>
  );
}
