import { taskListView, type TaskListView } from '@attractor/api';
import { useMemo, useState } from 'react';
import { api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Loading, LoadFailed } from '../ui/notice.tsx';
import { StatusIcon, taskStatus } from '../ui/status.tsx';
import { useLive, type LiveSource } from '../use-live.ts';
import { usePipelines } from '../use-pipelines.ts';
import { type States, useStates } from '../use-states.ts';
import { groupTasks, type TaskGroup } from './groups.ts';
import { NewTask } from './new-task.tsx';
import { TaskCard } from './task-card.tsx';

export function TasksScreen() {
  const loaded = useLive('tasks', taskListSource);
  if (loaded.state === 'loading') return <Loading />;
  if (loaded.state === 'failed') return <LoadFailed error={loaded.error} />;
  return <TaskList view={loaded.value} />;
}

function TaskList({ view }: { readonly view: TaskListView }) {
  const tasks = useMemo(() => Object.values(view.rows).map((row) => row.task), [view]);
  const pipelines = usePipelines(tasks);
  const groups = useMemo(() => groupTasks(view, pipelines), [view, pipelines]);
  const projects = Object.values(view.projects);
  const states = useStates(
    useMemo(() => idsShown(groups), [groups]),
    view.seq,
  );
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-lg font-semibold tracking-tight">Tasks</h1>
        <Summary view={view} states={states} />
        <div className="ml-auto">{projects.length === 0 ? null : <NewTask projects={projects} />}</div>
      </div>
      {tasks.length === 0 ? <NoTasks hasProject={projects.length > 0} /> : null}
      <div className="flex flex-col gap-6">
        {groups.map((group) => (
          <Group key={`${group.status.category} ${group.status.label}`} group={group} view={view} states={states} />
        ))}
      </div>
    </>
  );
}

function Summary({ view, states }: { readonly view: TaskListView; readonly states: States }) {
  const rows = Object.values(view.rows);
  const count = (holds: (row: (typeof rows)[number]) => boolean) => rows.filter(holds).length;
  const isWorking = ({ task, run }: (typeof rows)[number]) =>
    states[task.id] === undefined ? run?.status === 'running' : states[task.id]?.kind === 'working';
  const waiting = count(({ task, waiting: asked }) => states[task.id]?.needsPerson ?? asked.length > 0);
  const working = count(isWorking);
  const parts = [waiting > 0 ? `${waiting} waiting for you` : '', working > 0 ? `${working} working` : ''];
  return (
    <p className="text-[13px] text-soft" aria-live="polite">
      {parts.filter((part) => part !== '').join(' · ')}
    </p>
  );
}

/** The first of each group: what is shown at first. */
function idsShown(groups: ReadonlyArray<TaskGroup>): ReadonlyArray<string> {
  return groups.flatMap(({ rows }) => rows.slice(0, SHOWN_AT_FIRST).map(({ task }) => task.id));
}

/** Thousands of rows are listed, but not drawn until somebody wants to see them. */
const SHOWN_AT_FIRST = 50;
const SHOWN_MORE = 200;

type GroupProps = { readonly group: TaskGroup; readonly view: TaskListView; readonly states: States };

function Group({ group, view, states }: GroupProps) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const status = taskStatus(group.status);
  const hidden = group.rows.length - shown;
  return (
    <section aria-label={group.status.label}>
      <h2 className="mb-1.5 flex items-center gap-2 text-[13px] font-semibold">
        <StatusIcon status={status} />
        {group.status.label}
        <span className="font-normal text-faint tabular-nums">{group.rows.length}</span>
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-panel">
        {group.rows.slice(0, shown).map((row) => (
          <TaskCard
            key={row.task.id}
            row={row}
            state={states[row.task.id]}
            project={view.projects[row.task.projectId]?.name ?? ''}
          />
        ))}
      </ul>
      {hidden > 0 ? (
        <Button kind="quiet" className="mt-1" onClick={() => setShown(shown + SHOWN_MORE)}>
          Show more ({hidden.toLocaleString()})
        </Button>
      ) : null}
    </section>
  );
}

function NoTasks({ hasProject }: { readonly hasProject: boolean }) {
  return (
    <Empty title="No tasks yet">
      {hasProject ? 'Create one above, or run ' : 'In any git repository, run '}
      <code className="font-mono text-[13px] text-ink">attractor run "what should change"</code>. To see it work without
      an account, run <code className="font-mono text-[13px] text-ink">attractor demo</code>.
    </Empty>
  );
}

function taskListSource(): LiveSource<TaskListView> {
  return {
    load: api.tasks.listView,
    query: { only: 'tasks' },
    readTo: (view) => view.seq,
    fold: (view, { events }) => taskListView.foldAll(view, events),
  };
}
