import type { RunTimeline } from '@attractor/api';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { showDuration } from '../../ui/amounts.ts';
import { Panel } from '../../ui/panel.tsx';

const PARTS: ReadonlyArray<readonly [keyof RunTimeline['waiting'], string]> = [
  ['onAgentsMs', 'Agent'],
  ['onChecksMs', 'Checks'],
  ['onPeopleMs', 'People'],
  ['onQueueMs', 'Queue'],
];

/** Where the time of a run went. */
export function TimeTaken({ runId }: { readonly runId: string }) {
  const timeline = useAnswer(['timeline', runId], () => api.costs.timeline(runId));
  if (timeline.state !== 'ready') return null;
  return (
    <Panel title="Time">
      <dl className="flex flex-col text-sm">
        {PARTS.map(([part, name]) => (
          <div key={part} className="flex min-h-6 items-baseline justify-between">
            <dt className="text-soft">{name}</dt>
            <dd className="tabular-nums">{showDuration(timeline.value.waiting[part])}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
