import type { PipelineDefinition } from '@attractor/api';
import { type PathStep, pathSteps } from '../../data/main-path.ts';

type StatusTrackProps = { readonly pipeline: PipelineDefinition; readonly status: string };

/** A task's way through its pipeline: done solid, current outlined, future dashed. */
export function StatusTrack({ pipeline, status }: StatusTrackProps) {
  const current = pipeline.statuses.find(({ id }) => id === status);
  return (
    <span
      role="img"
      aria-label={`Status ${current?.label ?? status}`}
      className="flex items-center gap-1 overflow-hidden"
    >
      {pathSteps(pipeline, status).map(({ status: { id, label }, standing }) => (
        <span
          key={id}
          title={label}
          className={`h-6 shrink-0 truncate rounded text-sm leading-[22px] ${BOXES[standing]}`}
        >
          {standing === 'here' ? label : ''}
        </span>
      ))}
    </span>
  );
}

const BOXES: Readonly<Record<PathStep['standing'], string>> = {
  passed: 'w-5 bg-edge',
  here: 'border border-ink px-1.5 font-medium',
  ahead: 'w-5 border border-dashed border-edge',
};
