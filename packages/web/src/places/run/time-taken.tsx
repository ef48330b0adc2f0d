import type { RunTimeline } from '@attractor/api';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { showDuration } from '@attractor/api/shown';
import { Button } from '../../ui/button.tsx';
import { Loading, LoadFailed } from '../../ui/notice.tsx';

const PARTS: ReadonlyArray<readonly [keyof RunTimeline['waiting'], string]> = [
  ['onAgentsMs', 'Agent'],
  ['onChecksMs', 'Checks'],
  ['onPeopleMs', 'People'],
  ['onQueueMs', 'Queue'],
];

/** Where the time of a run went: it is counted from the log when somebody wants to know. */
export function TimeTaken({ runId }: { readonly runId: string }) {
  const [isAsked, ask] = useState(false);
  return (
    <div className="mt-2 border-t border-line pt-2">
      {isAsked ? (
        <Parts runId={runId} />
      ) : (
        <Button kind="quiet" className="-mx-3 -mb-1" onClick={() => ask(true)}>
          Where it went
        </Button>
      )}
    </div>
  );
}

function Parts({ runId }: { readonly runId: string }) {
  const timeline = useAnswer(['timeline', runId], () => api.costs.timeline(runId));
  if (timeline.state === 'loading') return <Loading />;
  if (timeline.state === 'failed') return <LoadFailed error={timeline.error} again={timeline.again} />;
  return (
    <dl className="flex flex-col text-sm">
      {PARTS.map(([part, name]) => (
        <div key={part} className="flex min-h-6 items-baseline justify-between">
          <dt className="text-soft">{name}</dt>
          <dd className="tabular-nums">{showDuration(timeline.value.waiting[part])}</dd>
        </div>
      ))}
    </dl>
  );
}
