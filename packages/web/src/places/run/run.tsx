import { currentStep, keyOf, pendingPrompts, shownSteps, taskKeyOf, type AgentRun, type RunView } from '@attractor/api';
import { Suspense } from 'react';
import { Link } from 'wouter';
import { api } from '../../data/api.ts';
import { FailedRun, LOG_ID } from './failed-run.tsx';
import { TimeTaken } from './time-taken.tsx';
import { WhenWaiting } from '../../waiting/when-waiting.tsx';
import { PlaceLoading } from '../../shell/place-loading.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { taskWorldSource } from '../../data/task-world.ts';
import { Empty } from '../../ui/notice.tsx';
import { PlaceFailed } from '../../ui/place-failed.tsx';
import { Panel } from '../../ui/panel.tsx';
import { outcomeWords, showControls, STEP_LABELS, type TaskWorld } from '@attractor/api/shown';
import { runStatus, StatusBadge } from '../../ui/status.tsx';
import { Elapsed } from '../../ui/time.tsx';
import { useLive } from '../../data/use-live.ts';
import { useAnswer } from '../../data/answers.ts';
import { SteerBox } from '../../run/steer-box.tsx';
import { usePageTitle } from '../../ui/use-page-title.ts';
import { Checks } from '../../run/checks.tsx';
import { StepBar } from '../../run/step-bar.tsx';
import { SpentTable } from '../../run/spent.tsx';
import { Timeline } from '../../run/timeline.tsx';
import { Transcript } from '../../run/transcript.tsx';
import { late } from '../../data/late.ts';

const TaskGone = late(() => import('../../waiting/task-gone.tsx').then((part) => part.TaskGone));
const ContextRing = late(() => import('../../run/context-ring.tsx').then((part) => part.ContextRing));

/** A run is shown inside its task: one stream covers both. */
export function RunPlace({ id }: { readonly id: string }) {
  const run = useAnswer(['run', id], () => api.runs.get(id));
  if (run.state === 'loading') return <PlaceLoading />;
  if (run.state === 'failed') return <PlaceFailed error={run.error} again={run.again} />;
  return <RunOfTask runId={run.value.id} taskId={run.value.taskId} />;
}

function RunOfTask({ runId, taskId }: { readonly runId: string; readonly taskId: string }) {
  const world = useLive(taskWorldSource(taskId));
  if (world.state === 'loading') return <PlaceLoading />;
  if (world.state === 'failed') return <PlaceFailed error={world.error} again={world.again} />;
  if (world.value.task.task === null) return <TaskGone world={world.value} />;
  const view = world.value.runs[runId];
  if (view?.run === null || view === undefined) return <Empty title="Nothing from this run yet" />;
  return <RunPage world={world.value} view={view} run={view.run} />;
}

type RunPageProps = { readonly world: TaskWorld; readonly view: RunView; readonly run: AgentRun };

function RunPage({ world, view, run }: RunPageProps) {
  return (
    <>
      <RunHead world={world} view={view} run={run} />
      <WhenWaiting task={world.task} runId={run.id} />
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="order-2 flex flex-col gap-4 lg:sticky lg:top-15">
          <Panel title="Steps">
            <Timeline steps={shownSteps(view.steps, run)} />
            {run.finishedAt === null ? null : <TimeTaken runId={run.id} />}
          </Panel>
          <Panel title="Spent">
            <SpentTable spent={view.spent} />
            <Suspense fallback={null}>
              <ContextRing view={view} />
            </Suspense>
          </Panel>
        </div>
        <div className="order-1 flex min-w-0 flex-col gap-4">
          {run.error === null ? null : <FailedRun world={world} run={run} />}
          {view.checks.some(({ phase }) => phase === 'branch') ? <ChecksPanel view={view} /> : null}
          <div id={LOG_ID} tabIndex={-1} className="scroll-mt-17">
            <Panel title="Transcript" flush>
              <Transcript view={view} live={world.live[run.id]} />
            </Panel>
          </div>
          {view.checks.every(({ phase }) => phase !== 'branch') ? <ChecksPanel view={view} /> : null}
          {run.status === 'running' ? <SteerBox taskId={run.taskId} run={run} /> : null}
        </div>
      </div>
    </>
  );
}

/** Those of the base alone say little about the work: until it was checked they stand below it. */
function ChecksPanel({ view }: Pick<RunPageProps, 'view'>) {
  if (view.checks.length === 0) return null;
  return (
    <Panel title="Checks">
      <Checks checks={view.checks} />
    </Panel>
  );
}

function RunHead({ world, view, run }: RunPageProps) {
  const title = world.task.task?.title ?? '';
  const step = currentStep(view.steps);
  const waits = pendingPrompts(world.task).some(({ runId }) => runId === run.id);
  usePageTitle(`${keyOf(run)} ${showControls(title)}`);
  return (
    <header>
      <p className="text-sm text-faint">
        <Link href={`/tasks/${taskKeyOf(run)}`} className="underline underline-offset-2 hover:text-ink">
          {showControls(title)}
        </Link>
      </p>
      <div className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-lg font-semibold tracking-tight first-letter:uppercase">
          {run.mode} run <span className="font-normal text-faint">{keyOf(run)}</span>
        </h1>
        <StatusBadge status={runStatus(run.status, view.steps, { waits })} />
        {run.outcome === null ? null : <span className="text-sm text-soft">{outcomeWords(run.outcome)}</span>}
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-x-4">
        <RunFacts run={run} />
        {world.task.runs.length < 2 ? null : (
          <Link
            href={`/tasks/${taskKeyOf(run)}/compare`}
            className="inline-flex min-h-link items-center text-sm underline underline-offset-2"
          >
            Compare with other runs
          </Link>
        )}
        <button
          type="button"
          onClick={() => void saveFile(`${keyOf(run)}.attractor-run`, () => api.runs.bundle(run.id))}
          title="One file with prompt, events, transcript, change and checks, for attractor runs replay"
          className="inline-flex min-h-link items-center text-sm underline underline-offset-2"
        >
          Download the run
        </button>
      </div>
      {step === null || run.finishedAt !== null ? null : (
        <p className="mt-2 flex items-center gap-2 text-sm text-soft lg:hidden">
          <StepBar steps={shownSteps(view.steps, run)} />
          {STEP_LABELS[step]}
        </p>
      )}
    </header>
  );
}

function RunFacts({ run }: { readonly run: AgentRun }) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-soft">
      <span>{[...new Set([run.agentType, showControls(run.model)])].filter((text) => text !== '').join(' · ')}</span>
      <Elapsed since={run.startedAt} until={run.finishedAt} />
      {run.branch === null ? null : <code className="font-mono text-sm leading-5">{showControls(run.branch)}</code>}
    </p>
  );
}
