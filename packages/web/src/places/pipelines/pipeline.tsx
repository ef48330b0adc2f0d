import type { PipelineDefinition } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { For } from '../../data/role.tsx';
import {
  freeId,
  namesInWords,
  NEW_PIPELINE,
  pathOf,
  showControls,
  type TaskPath,
  triggerWords,
  typeset,
} from '@attractor/api/shown';
import { useAfterLog } from '../../data/use-after-log.ts';
import { holdBack, sendHeld } from '../../undo/hold-back.ts';
import { PlaceLoading } from '../../shell/place-loading.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PlaceFailed } from '../../ui/place-failed.tsx';
import { Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAddressValue } from '../../ui/use-address-value.ts';
import { PipelineEditor } from './pipeline-editor.tsx';
import { Graph } from './graph.tsx';

/** One pipeline: its graph, a task's path over it, and its text to change. */
export function PipelinePlace({ id }: { readonly id: string }) {
  return id === 'new' ? <NewPipeline /> : <KnownPipeline id={id} />;
}

function NewPipeline() {
  const known = useAnswer(['pipelines'], () => api.pipelines.list());
  if (known.state === 'loading') return <PlaceLoading />;
  const taken = known.state === 'ready' ? known.value.map(({ id }) => id) : [];
  const text = JSON.stringify({ ...NEW_PIPELINE, id: freeId(NEW_PIPELINE.id, taken) }, null, 2);
  return (
    <>
      <PageHead title="New pipeline" about="Begin with these three statuses, or import a file" />
      <PipelineEditor id="new" text={text} />
    </>
  );
}

function KnownPipeline({ id }: { readonly id: string }) {
  const [taskKey] = useAddressValue('task');
  const [mode, setMode] = useAddressValue('mode');
  const pipeline = useAnswer(['pipelines', id], () => api.pipelines.get(id));
  const { path, problem } = useTaskPath(taskKey);
  if (pipeline.state === 'loading') return <PlaceLoading />;
  if (pipeline.state === 'failed') return <PlaceFailed error={pipeline.error} again={pipeline.again} />;
  const { name, version, isDefault } = pipeline.value;
  return (
    <>
      <PageHead title={showControls(name)} about={`version ${version}${isDefault ? ', default' : ''}`}>
        <Acts pipeline={pipeline.value} />
        <For least="admin">
          <Button aria-pressed={mode === 'edit'} onClick={() => setMode(mode === 'edit' ? null : 'edit')}>
            {mode === 'edit' ? 'Stop editing' : 'Edit'}
          </Button>
        </For>
      </PageHead>
      {problem === null ? null : <p className="mb-3 text-sm wrap-anywhere text-soft">{typeset(problem)}</p>}
      {taskKey === null || path === null ? null : (
        <p className="mb-3 text-sm text-soft">
          The path of{' '}
          <Link href={`/tasks/${taskKey}`} className="underline underline-offset-2">
            {showControls(taskKey)}
          </Link>{' '}
          is shown on it.
        </p>
      )}
      <div className="flex flex-col gap-4">
        <Graph pipeline={pipeline.value} path={path} />
        {mode === 'edit' ? (
          <PipelineEditor key={version} id={id} text={JSON.stringify(pipeline.value, null, 2)} />
        ) : (
          <Transitions pipeline={pipeline.value} />
        )}
      </div>
    </>
  );
}

type Laid = { readonly path: TaskPath | null; readonly problem: string | null };

function useTaskPath(taskKey: string | null): Laid {
  useAfterLog(['task-path']);
  const isEnabled = { enabled: taskKey !== null };
  const task = useAnswer(['task-path', taskKey, 'task'], () => api.tasks.get(taskKey ?? ''), isEnabled);
  const past = useAnswer(['task-path', taskKey, 'past'], () => api.tasks.history(taskKey ?? ''), isEnabled);
  const [now] = useState(() => Date.now());
  const failed = task.state === 'failed' ? task : past;
  if (failed.state === 'failed') return { path: null, problem: failed.error.message };
  if (task.state !== 'ready' || past.state !== 'ready') return { path: null, problem: null };
  const { status, createdAt } = task.value;
  return { path: pathOf(past.value, { status, createdAt, now }), problem: null };
}

function Acts({ pipeline }: { readonly pipeline: PipelineDefinition }) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const text = JSON.stringify(pipeline, null, 2);
  const builtIn = useAnswer(['pipelines', 'built-in'], () => api.pipelines.builtIn());
  const isOwn = builtIn.state === 'ready' && !builtIn.value.includes(pipeline.id);
  const duplicate = async () => {
    const { version: _, isDefault: __, ...rest } = pipeline;
    await sendHeld();
    const known = await api.pipelines.list();
    const taken = known.ok ? known.value.map(({ id }) => id) : [];
    const id = freeId(`${pipeline.id}-copy`, taken);
    const name = `${pipeline.name} copy${id.slice(`${pipeline.id}-copy`.length).replace('-', ' ')}`;
    const made = await api.pipelines.save({ ...rest, id, name });
    if (!made.ok) return toast(typeset(made.error.message), { isBad: true });
    void cache.invalidateQueries({ queryKey: ['pipelines'] });
    navigate(`/pipelines/${made.value.id}?mode=edit`);
  };
  const makeDefault = async () => {
    const done = await api.pipelines.setDefault(pipeline.id);
    if (!done.ok) return toast(typeset(done.error.message), { isBad: true });
    void cache.invalidateQueries({ queryKey: ['pipelines'] });
    toast(showControls(`${pipeline.name} is the default now`));
  };
  const remove = () => {
    holdBack({
      text: `${pipeline.name} removed`,
      ids: [`pipeline ${pipeline.id}`],
      send: (by) => by.pipelines.delete(pipeline.id),
      again: () => cache.invalidateQueries({ queryKey: ['pipelines'] }),
    });
    navigate('/pipelines');
  };
  return (
    <>
      <For least="admin">
        {pipeline.isDefault ? null : <Button onClick={() => void makeDefault()}>Make default</Button>}
        <Button onClick={() => void duplicate()}>
          <Copy size={14} aria-hidden /> Duplicate
        </Button>
        {isOwn && !pipeline.isDefault ? <Button onClick={remove}>Remove</Button> : null}
      </For>
      <a
        download={`${pipeline.id}.json`}
        href="/"
        onClick={(event) => {
          event.currentTarget.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
        }}
        className={buttonClass('plain')}
      >
        <Download size={14} aria-hidden /> Export
      </a>
    </>
  );
}

function Transitions({ pipeline }: { readonly pipeline: PipelineDefinition }) {
  const labelOf = (id: string) =>
    id === '*' ? 'Anywhere' : (pipeline.statuses.find((status) => status.id === id)?.label ?? id);
  return (
    <Table
      label="Transitions"
      rows={pipeline.transitions}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Transition', show: ({ label }) => showControls(label) },
        { name: 'From', show: ({ from }) => showControls(labelOf(from)) },
        { name: 'To', show: ({ to }) => showControls(labelOf(to)) },
        { name: 'When', isLong: true, show: triggerWords },
        { name: 'Guards', isLong: true, show: ({ guards }) => namesInWords(guards) },
        { name: 'Actions', show: ({ hooks }) => namesInWords(hooks) },
      ]}
    />
  );
}
