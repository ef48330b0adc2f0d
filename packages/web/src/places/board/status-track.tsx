import { type OnPath, type PathStep, pathSteps, showControls } from '@attractor/api/shown';

/**
 * A task's way through its pipeline: done solid, current outlined, future dashed. A detour takes the place of the status that was left for
 * it, so that the boxes of all rows stand under one another.
 */
export function StatusTrack(on: OnPath) {
  const { pipeline, status, cameFrom } = on;
  const labelOf = (id: string) => pipeline.statuses.find((one) => one.id === id)?.label ?? id;
  const steps = pathSteps(on);
  const isLeft = (step: PathStep) => step.standing === 'ahead' && step.status.id === cameFrom;
  return (
    <span
      role="img"
      aria-label={`Status ${labelOf(status)}${steps.some(isLeft) ? `, left ${labelOf(cameFrom ?? '')}` : ''}`}
      className="flex items-center gap-1 overflow-hidden sm:pl-23"
    >
      {steps
        .filter((step) => !isLeft(step))
        .map(({ status: { id, label }, standing }) => (
          <span key={id} title={label} className={`h-6 truncate rounded text-center text-sm ${BOXES[standing]}`}>
            <span className={standing === 'here' ? '' : 'hidden xl:inline'}>{showControls(label)}</span>
          </span>
        ))}
    </span>
  );
}

const BOXES: Readonly<Record<PathStep['standing'], string>> = {
  passed: 'min-w-3 max-w-36 flex-1 bg-idle-well px-[7px] leading-6 text-soft',
  here: 'px-1.5 leading-[22px] max-w-36 shrink-0 border border-ink font-medium xl:min-w-26 xl:flex-1',
  ahead: 'px-1.5 leading-[22px] min-w-3 max-w-36 flex-1 border border-dashed border-edge text-faint',
};
