import { keyOf, pendingPrompts, spentOnTask, type Task } from '@attractor/api';
import { Link } from 'wouter';
import { showCost } from '../ui/amounts.ts';
import { buttonClass } from '../ui/button.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { showControls } from '../ui/plain-text.ts';
import { StatusBadge, stateStatus, taskStatus } from '../ui/status.tsx';
import { Ago } from '../ui/time.tsx';
import { usePageTitle } from '../use-page-title.ts';
import { statusOf, usePipelines } from '../use-pipelines.ts';
import { useStates } from '../use-states.ts';
import { StepBar } from '../run/step-bar.tsx';
import { NextSteps } from './next-steps.tsx';
import { TaskActions } from './task-actions.tsx';
import type { TaskWorld } from '../task-world.ts';

/** Its title, its status, its cost, and the one thing to do next. */
export function TaskHead({ world }: { readonly world: TaskWorld }) {
  const { task } = world.task;
  const pipelines = usePipelines(task === null ? [] : [task]);
  const states = useStates(task === null ? [] : [task.id], world.task.seq);
  usePageTitle(task === null ? '' : `${keyOf(task)} ${showControls(task.title)}`);
  if (task === null) return null;
  const status = statusOf(task, pipelines);
  const running = world.task.runs.findLast(({ run }) => run.status === 'running');
  const waits = pendingPrompts(world.task).length > 0;
  const state = states[task.id];
  return (
    <header>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-[1_1_24rem]">
          <h1 className="text-lg font-semibold tracking-tight break-words">
            <span className="mr-2 font-normal text-faint tabular-nums">{keyOf(task)}</span>
            {showControls(task.title)}
          </h1>
          <p className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1.5 text-[13px] text-soft">
            <StatusBadge status={taskStatus(status)} label={status.label} />
            {state === undefined ? null : <StatusBadge status={stateStatus(state)} label={showControls(state.label)} />}
            {running === undefined ? null : (
              <span className="flex items-center gap-2">
                <StepBar steps={running.steps} />
                {running.steps.find((step) => step.state === 'running')?.step}
              </span>
            )}
            <span className="tabular-nums">{showCost(spentOnTask(world.task).costUsd)}</span>
            <span>
              created <Ago at={task.createdAt} />
            </span>
          </p>
          {state?.detail === undefined || state.detail === null ? null : (
            <p className="mt-1.5 max-w-[80ch] text-[13px] text-soft">{showControls(state.detail)}</p>
          )}
        </div>
        <div className="flex flex-col items-end gap-2">
          {running === undefined ? (
            <TaskActions key={task.version} task={task} waits={waits} />
          ) : (
            <Link href={`/runs/${keyOf(running.run)}`} className={buttonClass(waits ? 'plain' : 'primary')}>
              Watch run
            </Link>
          )}
          {state === undefined ? null : <NextSteps state={state} />}
        </div>
      </div>
      <Description task={task} />
    </header>
  );
}

function Description({ task }: { readonly task: Task }) {
  if (task.description.trim() === '') return null;
  return (
    <div className="mt-3 max-w-[80ch] text-soft">
      <Markdown text={task.description} />
    </div>
  );
}
