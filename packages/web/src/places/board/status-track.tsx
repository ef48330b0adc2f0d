import type { PipelineDefinition } from '@attractor/api';
import { mainPath } from '../../data/main-path.ts';

type StatusTrackProps = { readonly pipeline: PipelineDefinition; readonly status: string };

/** A task's way through its pipeline: done solid, current outlined, future dashed. */
export function StatusTrack({ pipeline, status }: StatusTrackProps) {
  const steps = mainPath(pipeline, status);
  const current = pipeline.statuses.find(({ id }) => id === status);
  const at = steps.findIndex(({ id }) => id === status);
  return (
    <span
      role="img"
      aria-label={`Status ${current?.label ?? status}`}
      className="flex max-w-[420px] items-center gap-1 overflow-hidden"
    >
      {steps.map((step, index) => (
        <span
          key={step.id}
          title={step.label}
          className={`h-5 truncate rounded px-1.5 text-sm leading-5 ${boxOf(index, at)}`}
        >
          {index === at ? step.label : ''}
        </span>
      ))}
    </span>
  );
}

function boxOf(index: number, at: number): string {
  if (index === at) return 'border border-ink font-medium';
  return index < at ? 'w-5 bg-edge' : 'w-5 border border-dashed border-edge';
}
