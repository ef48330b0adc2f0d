import type { StepState } from '@attractor/api';
import { showDuration, STEP_LABELS } from '@attractor/api/shown';
import { StatusIcon, STEP_STATUS } from '../ui/status.tsx';
import { Elapsed } from '../ui/time.tsx';

/** The ten steps, each with its state and time. */
export function Timeline({ steps }: { readonly steps: ReadonlyArray<StepState> }) {
  return (
    <ol aria-label="Steps" className="flex flex-col">
      {steps.map((step) => {
        const status = STEP_STATUS[step.state];
        const pale = step.state === 'pending' || step.state === 'skipped';
        return (
          <li
            key={step.step}
            className="flex min-h-7 items-center gap-2 text-sm"
            aria-current={step.state === 'running' ? 'step' : undefined}
          >
            <StatusIcon status={status} />
            <span className="sr-only">{status.label}: </span>
            <span
              className={`min-w-0 flex-1 truncate ${pale ? 'text-faint' : ''} ${step.state === 'running' ? 'font-medium' : ''}`}
            >
              {STEP_LABELS[step.step]}
              {step.attempts > 1 ? <span className="text-faint"> · begun {step.attempts} times</span> : null}
            </span>
            <span className="text-sm text-faint tabular-nums">
              <StepTime step={step} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function StepTime({ step }: { readonly step: StepState }) {
  if (step.state === 'running' && step.startedAt !== null) return <Elapsed since={step.startedAt} until={null} />;
  return step.durationMs === null ? null : showDuration(step.durationMs);
}
