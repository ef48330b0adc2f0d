import type { StepState } from '@attractor/api';
import { STEP_STATUS } from '../ui/status.tsx';
import { TONE_FILL } from '../ui/tone.ts';

/** Ten small boxes: done solid, current pulsing, future pale. */
export function StepBar({ steps }: { readonly steps: ReadonlyArray<StepState> }) {
  const done = steps.filter((step) => step.state === 'done').length;
  return (
    <span className="flex gap-[2px]" role="img" aria-label={`${done} of ${steps.length} steps done`}>
      {steps.map((step) => (
        <span
          key={step.step}
          title={`${step.step}: ${STEP_STATUS[step.state].label.toLowerCase()}`}
          className={boxClass(step)}
        />
      ))}
    </span>
  );
}

function boxClass({ state }: StepState): string {
  const fill = state === 'pending' || state === 'skipped' ? 'bg-line' : TONE_FILL[STEP_STATUS[state].tone];
  return `h-2.5 w-1.5 rounded-[1px] ${fill} ${state === 'running' ? 'pulse' : ''}`;
}
