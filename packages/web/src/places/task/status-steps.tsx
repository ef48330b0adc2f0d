import type { PipelineDefinition } from '@attractor/api';
import { Check } from 'lucide-react';
import { mainPath } from '../../data/main-path.ts';

type StatusStepsProps = { readonly pipeline: PipelineDefinition; readonly status: string };

/** The statuses of the pipeline in a row: where the task was, is and may go. */
export function StatusSteps({ pipeline, status }: StatusStepsProps) {
  const current = pipeline.statuses.find(({ id }) => id === status);
  const shown = mainPath(pipeline, status);
  const at = shown.findIndex(({ id }) => id === status);
  return (
    <ol aria-label={`Status: ${current?.label ?? status}`} className="flex gap-1 overflow-x-auto pb-1" tabIndex={0}>
      {shown.map(({ id, label }, index) => (
        <li
          key={id}
          aria-current={index === at ? 'step' : undefined}
          className={`flex h-6 shrink-0 items-center gap-1 rounded-full px-2.5 text-sm whitespace-nowrap ${boxOf(index, at)}`}
        >
          {index < at ? <Check size={12} aria-hidden /> : null}
          {label}
        </li>
      ))}
    </ol>
  );
}

function boxOf(index: number, at: number): string {
  if (index === at) return 'border border-ink font-medium text-ink';
  return index < at ? 'bg-idle-well text-soft' : 'border border-dashed border-edge text-faint';
}
