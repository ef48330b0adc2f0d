import { Check } from 'lucide-react';
import { type OnPath, type PathStep, pathSteps } from '@attractor/api/shown';
import { useInView } from '../../ui/use-in-view.ts';

/** The statuses of the pipeline in a row: where the task was, is and may go. */
export function StatusSteps({ pipeline, status, cameFrom }: OnPath) {
  const current = pipeline.statuses.find(({ id }) => id === status);
  const row = useInView<HTMLOListElement>(status);
  return (
    <ol
      ref={row}
      aria-label={`Status: ${current?.label ?? status}`}
      className="flex gap-1 overflow-x-auto pb-1"
      tabIndex={0}
    >
      {pathSteps({ pipeline, status, cameFrom }).map(({ status: { id, label }, standing }) => (
        <li
          key={id}
          data-part={id}
          aria-current={standing === 'here' ? 'step' : undefined}
          className={`flex h-6 shrink-0 items-center gap-1 rounded-full px-2.5 text-sm whitespace-nowrap ${BOXES[standing]}`}
        >
          {standing === 'passed' ? <Check size={12} aria-hidden /> : null}
          {label}
        </li>
      ))}
    </ol>
  );
}

const BOXES: Readonly<Record<PathStep['standing'], string>> = {
  passed: 'bg-idle-well text-soft',
  here: 'border border-ink font-medium text-ink',
  ahead: 'border border-dashed border-edge text-faint',
};
