import { keyOf, type NextStep, pendingPrompts, type Task, type TaskState } from '@attractor/api';
import { Ellipsis } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { useMay, whoMay } from '../../data/role.tsx';
import { usePipelines } from '../../data/use-pipelines.ts';
import { useStates } from '../../data/use-states.ts';
import { firstButton, StepElsewhere } from '../../run/step-elsewhere.tsx';
import { useFreshStep } from '../../run/use-fresh-step.ts';
import { isShownStep, useStep } from '../../run/use-step.ts';
import { holdBack } from '../../undo/hold-back.ts';
import { besideTitle, showControls, typeset, pipelineKey, statusOf, type TaskWorld } from '@attractor/api/shown';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Refused } from '../../ui/notice.tsx';
import { StatusBadge, stateStatus, taskStatus, WAITING } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';
import { usePageTitle } from '../../ui/use-page-title.ts';
import { WithCode } from '../../ui/with-code.tsx';
import { StatusSteps } from './status-steps.tsx';
import { late } from '../../data/late.ts';

/** Its key and title, where in its pipeline it is, how it stands, and the one thing to do next. */
export function TaskHead({ world }: { readonly world: TaskWorld }) {
  const { task } = world.task;
  const pipelines = usePipelines(task === null ? [] : [task]);
  const states = useStates(task === null ? [] : [task.id]);
  usePageTitle(task === null ? '' : `${keyOf(task)} ${showControls(task.title)}`);
  if (task === null) return null;
  const status = statusOf(task, pipelines);
  const pipeline = pipelines[pipelineKey(task)];
  const waits = pendingPrompts(world.task).length > 0;
  const state = answered(states[task.id], waits);
  return (
    <header className="z-[6] -mx-4 -mt-5 border-b border-line bg-page px-4 pt-4 pb-3 desk:sticky md:top-bar md:-mx-6 md:px-6">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-[1_1_220px]">
          <h1 className="text-lg font-semibold tracking-tight break-words">
            <span className="mr-2 font-normal whitespace-nowrap text-faint">{keyOf(task)}</span>
            <bdi>{showControls(task.title)}</bdi>
          </h1>
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-soft">
            <span role="status" aria-label="State">
              {state === undefined ? (
                <StatusBadge {...(waits ? { status: WAITING } : { status: taskStatus(status), label: status.label })} />
              ) : (
                <StatusBadge status={stateStatus(state)} label={typeset(state.label)} />
              )}
            </span>
            <span>
              created <Ago at={task.createdAt} />
            </span>
          </p>
          {/* What waits says it itself, below. */}
          {waits ? null : <Detail state={state} title={task.title} />}
        </div>
        {state === undefined ? null : <TaskButtons world={world} task={task} state={state} waits={waits} />}
      </div>
      {pipeline === undefined ? null : (
        <div className="mt-3">
          <StatusSteps pipeline={pipeline} status={task.status} cameFrom={state?.cameFrom ?? null} />
        </div>
      )}
    </header>
  );
}

/** What was just answered does not wait any more: how the task stands now is on its way. */
function answered<State extends TaskState>(state: State | undefined, waits: boolean): State | undefined {
  return state?.kind === 'waiting' && !waits ? undefined : state;
}

/** Only what the badge and the title do not say already. */
function Detail({ state, title }: { readonly state: TaskState | undefined; readonly title: string }) {
  const detail = besideTitle(state?.detail ?? '', title);
  if (state === undefined || detail === '' || state.label.toLowerCase().endsWith(detail.toLowerCase())) return null;
  return (
    <p className="mt-1.5 max-w-[80ch] text-sm break-words text-soft">
      <WithCode text={detail} />
    </p>
  );
}

const TaskSettingsOverlay = late(() => import('./task-settings.tsx').then((part) => part.TaskSettingsOverlay));
const SplitTask = late(() => import('./task-more.tsx').then((part) => part.SplitTask));

/** Nothing has to be done while an agent works, or after the end. */
const CALM: ReadonlySet<TaskState['kind']> = new Set(['queued', 'working', 'merged', 'closed']);

function entryOf({ id, label }: NextStep, onChoose: () => void) {
  return { id, label: typeset(label), onChoose };
}

type TaskButtonsProps = {
  readonly world: TaskWorld;
  readonly task: Task;
  readonly state: TaskState;
  readonly waits: boolean;
};

/** Exactly one is primary; while a question waits, that is its form. */
function TaskButtons({ world, task, state, waits }: TaskButtonsProps) {
  const { busy, error, take, takeFresh } = useStep();
  const fresh = useFreshStep(world.task, state);
  const [overlay, open] = useState<'settings' | 'split' | null>(null);
  const close = () => open(null);
  const [, navigate] = useLocation();
  const remove = () => {
    holdBack({ text: `${keyOf(task)} deleted`, ids: [task.id], send: (by) => by.tasks.delete(task.id) });
    navigate('/board');
  };
  const steps = state.steps.filter((step) => isShownStep(step) && step.call !== null);
  const shown = waits ? [] : steps.slice(0, 2);
  const others = steps.filter((step) => !shown.includes(step));
  const first = firstButton(state.steps.filter(isShownStep));
  if (!useMay('operator'))
    return steps.length === 0 || waits ? null : (
      <p className="text-sm text-faint">{whoMay('operator', 'take the next step')}</p>
    );
  const elsewhere = <Elsewhere steps={state.steps} first={first} />;
  return (
    <div className="flex flex-col gap-2 md:items-end">
      {first?.call === null ? elsewhere : null}
      <div className="flex flex-wrap gap-2 md:justify-end">
        {shown.map((step) => (
          <Button
            key={step.id}
            kind={step === first && !CALM.has(state.kind) ? 'primary' : 'plain'}
            isBusy={busy}
            title={step.command}
            onClick={() => void take(step)}
          >
            {typeset(step.label)}
          </Button>
        ))}
        <Menu
          isIcon
          label={`More for ${keyOf(task)}`}
          kind="plain"
          items={[
            ...(fresh === null ? [] : [entryOf(fresh, () => void takeFresh(task.id, fresh))]),
            ...others.map((step) => entryOf(step, () => void take(step))),
            { id: 'settings', label: 'Model, effort, permissions', onChoose: () => open('settings') },
            { id: 'split', label: 'Split into subtasks', onChoose: () => open('split') },
            { id: 'delete', label: 'Delete', onChoose: remove },
          ]}
        >
          <Ellipsis size={15} aria-hidden />
        </Menu>
      </div>
      {first?.call === null ? null : elsewhere}
      <Refused error={error} />
      <Suspense fallback={null}>
        {overlay === 'settings' ? <TaskSettingsOverlay task={task} onClose={close} /> : null}
        {overlay === 'split' ? <SplitTask task={task} onClose={close} /> : null}
      </Suspense>
    </div>
  );
}

/** What is done in another place, or typed. */
function Elsewhere({ steps, first }: { readonly steps: TaskState['steps']; readonly first: NextStep | undefined }) {
  return steps
    .filter(({ call }) => call === null)
    .map((step) => (
      <p key={step.id} className="text-sm text-soft">
        <StepElsewhere step={step} isFirst={step === first} />
      </p>
    ));
}
