import { type AgentRun, keyOf } from '@attractor/api';
import { useMay, whoMay } from '../../data/role.tsx';
import { useStates } from '../../data/use-states.ts';
import { useFreshStep } from '../../run/use-fresh-step.ts';
import { isShownStep, useStep } from '../../run/use-step.ts';
import { showControls, type TaskWorld, typeset } from '@attractor/api/shown';
import { Button } from '../../ui/button.tsx';
import { Refused } from '../../ui/notice.tsx';
import { WithCode } from '../../ui/with-code.tsx';

type FailedRunProps = { readonly world: TaskWorld; readonly run: AgentRun };

/** Why the run failed, what would help, and what can be done now. Of an earlier run only the reason matters. */
export function FailedRun({ world, run }: FailedRunProps) {
  const state = useStates([run.taskId])[run.taskId];
  const isLast = world.task.runs.at(-1)?.run.id === run.id;
  const failed = isLast && state?.kind === 'failed' ? state : undefined;
  const fresh = useFreshStep(world.task, failed);
  const { busy, error, take, takeFresh } = useStep();
  const may = useMay('operator');
  const again = failed?.steps.find((step) => step.call !== null && isShownStep(step));
  return (
    <div className="rounded-lg border border-bad bg-bad-well px-4 py-3 text-sm">
      <div role="alert" className="break-words whitespace-pre-wrap">
        <p className="font-medium text-bad">{failed === undefined ? 'The run failed' : typeset(failed.label)}</p>
        <p className="mt-0.5">
          {failed === undefined ? (
            showControls(run.error ?? '')
          ) : (
            <WithCode text={failed.detail ?? run.error ?? ''} onPageOf={keyOf(run)} />
          )}
        </p>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {again === undefined || !may ? null : (
          <Button kind="primary" isBusy={busy} onClick={() => void take(again)}>
            {typeset(again.label)}
          </Button>
        )}
        {fresh === null || !may ? null : (
          <Button
            isBusy={busy}
            title="A new commit takes back what was done, then it is tried again"
            onClick={() => void takeFresh(run.taskId, fresh)}
          >
            {typeset(fresh.label)}
          </Button>
        )}
        <Button onClick={openLog}>Open log</Button>
        {failed === undefined || may ? null : <span>{whoMay('operator', 'take the next step')}</span>}
      </div>
      <Refused error={error} />
    </div>
  );
}

export const LOG_ID = 'log';

/** It stands on the same page, after what was checked. */
function openLog(): void {
  const log = document.getElementById(LOG_ID);
  log?.scrollIntoView({ block: 'start' });
  log?.focus({ preventScroll: true });
}
