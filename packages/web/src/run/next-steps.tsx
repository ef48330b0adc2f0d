import type { TaskState } from '@attractor/api';
import { useMay, whoMay } from '../data/role.tsx';
import { Button } from '../ui/button.tsx';
import { Refused } from '../ui/notice.tsx';
import { typeset } from '@attractor/api/shown';
import { firstButton, StepElsewhere } from './step-elsewhere.tsx';
import { isShownStep, useStep } from './use-step.ts';

type NextStepsProps = { readonly state: TaskState; readonly onTaken?: () => void };

/** What can be done, the likeliest first; where it needs a terminal, what to type there. */
export function NextSteps({ state, onTaken }: NextStepsProps) {
  const { busy, error, take } = useStep(onTaken);
  const steps = state.steps.filter(isShownStep);
  const first = firstButton(steps);
  const may = useMay('operator');
  if (steps.length === 0) return null;
  if (!may) return <p className="text-sm text-faint">{whoMay('operator', 'take the next step')}</p>;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        {steps.map((step) =>
          step.call === null ? (
            <StepElsewhere key={step.id} step={step} isFirst={step === first} />
          ) : (
            <Button
              key={step.id}
              kind={step === first ? 'primary' : 'plain'}
              isBusy={busy}
              title={step.command}
              onClick={() => void take(step)}
            >
              {typeset(step.label)}
            </Button>
          ),
        )}
      </div>
      <Refused error={error} />
    </div>
  );
}
