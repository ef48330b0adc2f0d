import type { PipelineDefinition, TaskListView, TaskRow } from '@attractor/api';
import { memo, Suspense, useDeferredValue, useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useProject } from '../../data/project.ts';
import { useTaskList } from '../../data/task-list.ts';
import { useInboxIds } from '../../data/use-inbox.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Empty, Loading, LoadFailed } from '../../ui/notice.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Segments } from '../../ui/segments.tsx';
import { useAddressValue } from '../../ui/use-address-value.ts';
import { filterRows, pipelinesOf } from '@attractor/api/shown';
import { BoardColumns } from './board-columns.tsx';
import { BoardFilters } from './board-filters.tsx';
import { SavedViews } from './saved-views.tsx';
import { late } from '../../data/late.ts';

const NoTasks = late(() => import('./no-tasks.tsx').then((part) => part.NoTasks));
const TaskTable = late(() => import('./task-table.tsx').then((part) => part.TaskTable));

const VIEWS = [
  { name: 'board', label: 'Board' },
  { name: 'rows', label: 'Pipeline' },
  { name: 'list', label: 'List' },
] as const;

type ViewName = (typeof VIEWS)[number]['name'];

/** Every task: in the columns of its pipeline, as rows of its steps, or as a list. */
export function BoardPlace() {
  const list = useTaskList();
  const [given, setView] = useAddressValue('view');
  const view = VIEWS.find(({ name }) => name === given)?.name ?? 'board';
  // The click is answered at once; thousands of tasks are drawn a moment later.
  const drawn = useDeferredValue(view);
  return (
    <>
      <PageHead title="Board">
        <SavedViews />
        <Segments
          label="Show as"
          choices={VIEWS}
          chosen={view}
          onChoose={(name) => setView(name === 'board' ? null : name)}
        />
      </PageHead>
      {list.state === 'loading' ? <Loading lines={8} /> : null}
      {list.state === 'failed' ? <LoadFailed error={list.error} again={list.again} /> : null}
      {list.state === 'ready' ? (
        <Suspense fallback={<Loading lines={8} />}>
          <Tasks list={list.value} view={drawn} />
        </Suspense>
      ) : null}
    </>
  );
}

function Tasks({ list, view }: { readonly list: TaskListView; readonly view: ViewName }) {
  const { projectId } = useProject();
  const [text, setText] = useAddressValue('text');
  const [agent] = useAddressValue('agent');
  const [label] = useAddressValue('label');
  const [only] = useAddressValue('only');
  const [chosen, choose] = useAddressValue('pipeline');
  const inInbox = useInboxIds();
  const rows = useMemo(
    () => filterRows(list, { text: text ?? '', projectId, agent, label, only, inInbox }),
    [list, text, projectId, agent, label, only, inInbox],
  );
  const pipelines = useAnswer(['pipelines'], () => api.pipelines.list());
  const known = useMemo(() => pipelinesOf(Object.values(list.rows)), [list.rows]);
  if (known.length === 0) return <NoTasks hasProject={Object.keys(list.projects).length > 0} />;
  const isNarrowed = [text, agent, label, only].some((value) => value !== null);
  if (rows.length === 0 && !isNarrowed) return <NoTasks hasProject />;
  const pipelineId = known.find((id) => id === chosen) ?? known[0] ?? '';
  const definitions = pipelines.state === 'ready' ? pipelines.value : [];
  const pipeline = definitions.find(({ id }) => id === pipelineId);
  return (
    <>
      <BoardFilters
        list={list}
        text={text ?? ''}
        onText={(next) => setText(next === '' ? null : next)}
        pipelines={known.map((id) => ({ value: id, label: nameOf(definitions, id) }))}
        pipelineId={pipelineId}
        onPipeline={(id) => choose(id === known[0] ? null : id)}
        isList={view === 'list'}
      />
      {rows.length === 0 ? (
        <NoneFits />
      ) : (
        <Shown rows={rows} view={view} pipeline={pipeline} pipelineId={pipelineId} list={list} />
      )}
    </>
  );
}

type ShownProps = {
  readonly rows: ReadonlyArray<TaskRow>;
  readonly view: ViewName;
  readonly pipeline: PipelineDefinition | undefined;
  readonly pipelineId: string;
  readonly list: TaskListView;
};

const Shown = memo(function Shown({ rows, view, pipeline, pipelineId, list }: ShownProps) {
  const own = useMemo(() => rows.filter(({ task }) => task.pipelineId === pipelineId), [rows, pipelineId]);
  if (view === 'list') return <TaskTable key="list" rows={rows} list={list} pipeline={null} />;
  if (pipeline === undefined) return <Loading lines={8} />;
  if (view === 'rows') return <TaskTable key="rows" rows={own} list={list} pipeline={pipeline} />;
  return <BoardColumns rows={own} pipeline={pipeline} />;
});

function NoneFits() {
  const [path] = useLocation();
  return (
    <Empty title="No task matches">
      <Link href={path} className={`${buttonClass('plain')} mt-2`}>
        Show all of them
      </Link>
    </Empty>
  );
}

function nameOf(definitions: ReadonlyArray<PipelineDefinition>, id: string): string {
  return definitions.find((one) => one.id === id)?.name ?? id;
}
