import { keyOf, spentOnTask } from '@attractor/api';
import { type ReactNode, Suspense } from 'react';
import { Link } from 'wouter';
import { For } from '../../data/role.tsx';
import { useTaskList } from '../../data/task-list.ts';
import { usePipelines } from '../../data/use-pipelines.ts';
import { SpentTable } from '../../run/spent.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showControls, pipelineKey, type TaskWorld } from '@attractor/api/shown';
import { Criteria } from './criteria.tsx';
import { late } from '../../data/late.ts';

const RailMore = late(() => import('./rail-more.tsx').then((part) => part.RailMore));

const RailLimits = late(() => import('./rail-more.tsx').then((part) => part.RailLimits));

/** The facts of a task, beside its work. */
export function TaskRail({ world }: { readonly world: TaskWorld }) {
  const { task, runs } = world.task;
  const last = runs.at(-1)?.run;
  const pipelines = usePipelines(task === null ? [] : [task]);
  const list = useTaskList();
  if (task === null) return null;
  const project = list.state === 'ready' ? list.value.projects[task.projectId] : undefined;
  const branch = runs.findLast(({ run }) => run.branch !== null)?.run.branch ?? null;
  return (
    <aside
      aria-label="About this task"
      className="mt-4 min-w-0 gap-4 *:mb-4 *:break-inside-avoid sm:columns-2 xl:columns-1"
    >
      <Panel title="About">
        <dl className="flex flex-col gap-1 text-sm">
          {project === undefined ? null : (
            <Fact name="Project">
              <Link href={`/projects?project=${project.key}`} className="underline underline-offset-2">
                {showControls(project.name)}
              </Link>
            </Fact>
          )}
          <Fact name="Agent">{last === undefined ? 'None yet' : showControls(last.agentType)}</Fact>
          <Fact name="Model">{last === undefined || last.model === '' ? '–' : showControls(last.model)}</Fact>
          <Fact name="Branch">
            {branch === null ? 'None yet' : <code className="font-mono wrap-anywhere">{showControls(branch)}</code>}
          </Fact>
          <Fact name="Pipeline">
            <Link href={`/pipelines/${task.pipelineId}?task=${keyOf(task)}`} className="underline underline-offset-2">
              {showControls(pipelines[pipelineKey(task)]?.name ?? task.pipelineId)}
            </Link>
          </Fact>
          <Fact name="Priority">
            <span className="inline-block first-letter:uppercase">{task.priority}</span>
          </Fact>
          {task.tags.length === 0 ? null : <Fact name="Labels">{showControls(task.tags.join(', '))}</Fact>}
        </dl>
        <For least={runs.length < 2 ? 'operator' : 'viewer'}>
          <Link
            href={`/tasks/${keyOf(task)}/compare`}
            className="mt-1 inline-flex min-h-link items-center text-sm underline underline-offset-2"
          >
            {runs.length < 2 ? 'Let several agents try it' : 'Compare runs'}
          </Link>
        </For>
      </Panel>
      <Criteria taskId={task.id} />
      <Panel title="Spent">
        <SpentTable spent={spentOnTask(world.task)} />
        <Suspense fallback={null}>
          <RailLimits task={task} view={last === undefined ? undefined : world.runs[last.id]} />
        </Suspense>
      </Panel>
      <Suspense fallback={null}>
        <RailMore task={task} />
      </Suspense>
    </aside>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-6 items-baseline gap-3">
      <dt className="w-20 shrink-0 text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
