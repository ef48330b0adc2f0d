import type { PipelineDefinition } from '@attractor/api';
import { type PathStep, pathSteps } from '../../data/main-path.ts';
import { showControls } from '../../ui/plain-text.ts';

type StatusTrackProps = { readonly pipeline: PipelineDefinition; readonly status: string };

/** A task's way through its pipeline: done solid, current outlined, future dashed. */
export function StatusTrack({ pipeline, status }: StatusTrackProps) {
  const current = pipeline.statuses.find(({ id }) => id === status);
  return (
    <span
      role="img"
      aria-label={`Status ${current?.label ?? status}`}
      className="flex items-center gap-1 overflow-hidden sm:pl-23"
    >
      {pathSteps(pipeline, status).map(({ status: { id, label }, standing }) => (
        <span
          key={id}
          title={label}
          className={`h-6 truncate rounded px-1.5 text-center text-sm leading-[22px] ${BOXES[standing]}`}
        >
          <span className={standing === 'here' ? '' : 'hidden lg:inline'}>{showControls(label)}</span>
        </span>
      ))}
    </span>
  );
}

const BOXES: Readonly<Record<PathStep['standing'], string>> = {
  passed: 'min-w-3 max-w-36 flex-1 bg-edge',
  here: 'max-w-36 shrink-0 border border-ink font-medium lg:min-w-26 lg:flex-1',
  ahead: 'min-w-3 max-w-36 flex-1 border border-dashed border-edge text-faint',
};
