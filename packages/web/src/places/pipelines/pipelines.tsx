import type { PipelineDefinition } from '@attractor/api';
import { isDetour, showControls } from '@attractor/api/shown';
import { ArrowRight, Plus } from 'lucide-react';
import { Link } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useHidden } from '../../data/hidden.ts';
import { For } from '../../data/role.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Loading, LoadFailed } from '../../ui/notice.tsx';
import { PageHead } from '../../ui/page-head.tsx';

/** The ways that tasks go. */
export function PipelinesPlace() {
  const pipelines = useAnswer(['pipelines'], () => api.pipelines.list());
  const hidden = useHidden();
  const shown = pipelines.state === 'ready' ? pipelines.value.filter(({ id }) => !hidden.has(`pipeline ${id}`)) : [];
  return (
    <>
      <PageHead title="Pipelines">
        <For least="admin">
          <Link href="/pipelines/new" className={buttonClass('plain')}>
            <Plus size={15} aria-hidden /> New or import
          </Link>
        </For>
      </PageHead>
      {pipelines.state === 'loading' ? <Loading /> : null}
      {pipelines.state === 'failed' ? <LoadFailed error={pipelines.error} again={pipelines.again} /> : null}
      {pipelines.state === 'ready' ? (
        <ul className="grid gap-3 lg:grid-cols-2">
          {shown.map((pipeline) => (
            <Card key={pipeline.id} pipeline={pipeline} />
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** One pipeline: its way to the end first, its size last. */
function Card({ pipeline }: { readonly pipeline: PipelineDefinition }) {
  const { id, name, description, version, isDefault, statuses, transitions } = pipeline;
  return (
    <li className="relative rounded-lg border border-line bg-panel px-4 py-3 text-sm hover:border-edge">
      <h2 className="flex items-baseline gap-2 text-base font-semibold">
        <Link href={`/pipelines/${id}`} className="after:absolute after:inset-0 after:content-['']">
          {showControls(name)}
        </Link>
        <span className="text-sm font-normal text-faint">
          version {version}
          {isDefault ? ', default' : ''}
        </span>
      </h2>
      {description === undefined ? null : <p className="mt-1 text-soft">{showControls(description)}</p>}
      <p className="mt-2 flex flex-wrap items-center gap-x-1.5">
        {wayOf(pipeline).map(({ id: status, label }) => (
          <span key={status} className="group/status inline-flex items-center gap-1.5">
            {showControls(label)}
            <ArrowRight size={12} aria-hidden className="text-faint group-last/status:hidden" />
          </span>
        ))}
      </p>
      <p className="mt-1 text-faint">
        {statuses.length} statuses, {transitions.length} transitions
      </p>
    </li>
  );
}

function wayOf(pipeline: PipelineDefinition): PipelineDefinition['statuses'] {
  return pipeline.statuses.filter((one) => !isDetour(pipeline, one)).toSorted((a, b) => a.position - b.position);
}
