import type { PipelineStatus } from '@attractor/api';
import { expectedOfId } from '@attractor/base';
import { ArrowRight, Plus, X } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { NameField } from '../../ui/name-field.tsx';
import {
  type EditedPipeline,
  showControls,
  withNewStatus,
  withNewTransition,
  withoutStatus,
  withoutTransition,
  withStatus,
  withTransition,
} from '@attractor/api/shown';

type PipelineFormProps = {
  readonly pipeline: EditedPipeline;
  readonly onChange: (pipeline: EditedPipeline) => void;
};

/** Statuses and transitions by fields; guards and actions stand in the text below. */
export function PipelineForm({ pipeline, onChange }: PipelineFormProps) {
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-3 sm:grid-cols-2">
        <NameField
          label="Name"
          longest={200}
          value={pipeline.name}
          onChange={(name) => onChange({ ...pipeline, name })}
        />
        <IdField id={pipeline.id ?? ''} onChange={(id) => onChange({ ...pipeline, id })} />
      </div>
      <section aria-label="Statuses" className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold">Statuses</h3>
        <Heads columns={STATUS_COLUMNS} names={['Name', 'Meaning']} />
        {pipeline.statuses.map((status) => (
          <StatusRow key={status.id} status={status} pipeline={pipeline} onChange={onChange} />
        ))}
        <div>
          <Button kind="quiet" className="-ml-3" onClick={() => onChange(withNewStatus(pipeline))}>
            <Plus size={14} aria-hidden /> Add a status
          </Button>
        </div>
      </section>
      <section aria-label="Transitions" className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold">Transitions</h3>
        <Heads columns={WAY_COLUMNS} names={['Name', 'From', '', 'To']} />
        {pipeline.transitions.map((transition) => (
          <TransitionRow key={transition.id} transition={transition} pipeline={pipeline} onChange={onChange} />
        ))}
        <div>
          <Button kind="quiet" className="-ml-3" onClick={() => onChange(withNewTransition(pipeline))}>
            <Plus size={14} aria-hidden /> Add a transition
          </Button>
        </div>
      </section>
    </div>
  );
}

type IdFieldProps = { readonly id: string; readonly onChange: (id: string) => void };

function IdField({ id, onChange }: IdFieldProps) {
  const expected = expectedOfId(id);
  return (
    <TextField
      label="Id, in addresses and commands"
      value={id}
      spellCheck={false}
      className="font-mono"
      onChange={onChange}
      {...(expected === null ? {} : { problem: `Expected ${expected}.` })}
    />
  );
}

const STATUS_COLUMNS = 'sm:grid-cols-[1fr_1fr_32px]';
const WAY_COLUMNS = 'sm:grid-cols-[2fr_1fr_16px_1fr_32px]';

type HeadsProps = { readonly columns: string; readonly names: ReadonlyArray<string> };

/** Said once for all rows; each field has its whole name for those who hear it. */
function Heads({ columns, names }: HeadsProps) {
  return (
    <div aria-hidden className={`hidden gap-3 text-sm text-soft sm:grid ${columns}`}>
      {names.map((name) => (
        <span key={name}>{name}</span>
      ))}
    </div>
  );
}

const CATEGORIES: ReadonlyArray<{ readonly value: PipelineStatus['category']; readonly label: string }> = [
  { value: 'backlog', label: 'Not begun' },
  { value: 'active', label: 'Somebody works' },
  { value: 'waiting', label: 'Waits for a person' },
  { value: 'review', label: 'In review' },
  { value: 'blocked', label: 'Blocked' },
  { value: 'done', label: 'Ended' },
];

type StatusRowProps = PipelineFormProps & { readonly status: PipelineStatus };

function StatusRow({ status: { id, label, category }, pipeline, onChange }: StatusRowProps) {
  const name = showControls(label);
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)_32px] items-center gap-x-3 gap-y-1.5 ${STATUS_COLUMNS}`}>
      <NameField
        isLabelHidden
        longest={200}
        label={`Name of ${showControls(id)}`}
        value={label}
        onChange={(next) => onChange(withStatus(pipeline, id, { label: next }))}
      />
      <div className="order-last col-span-full sm:order-none sm:col-span-1">
        <ChoiceField
          isLabelHidden
          label={`Meaning of ${name}`}
          value={category}
          choices={CATEGORIES}
          onChange={(next) => onChange(withStatus(pipeline, id, { category: next as PipelineStatus['category'] }))}
        />
      </div>
      <IconButton
        label={`Remove ${name} and its transitions`}
        disabled={id === pipeline.initialStatus}
        onClick={() => onChange(withoutStatus(pipeline, id))}
      >
        <X size={15} aria-hidden />
      </IconButton>
    </div>
  );
}

type TransitionRowProps = PipelineFormProps & { readonly transition: EditedPipeline['transitions'][number] };

function TransitionRow({ transition: { id, label, from, to }, pipeline, onChange }: TransitionRowProps) {
  const name = showControls(label);
  const statuses = pipeline.statuses.map((status) => ({ value: status.id, label: showControls(status.label) }));
  const remove = (
    <IconButton label={`Remove the transition ${name}`} onClick={() => onChange(withoutTransition(pipeline, id))}>
      <X size={15} aria-hidden />
    </IconButton>
  );
  return (
    <div
      className={`grid grid-cols-[minmax(0,1fr)_16px_minmax(0,1fr)] items-center gap-x-2 gap-y-1.5 max-sm:mb-2 sm:gap-x-3 ${WAY_COLUMNS}`}
    >
      <div className="flex min-w-0 gap-1 max-sm:col-span-3 [&>label]:flex-1">
        <NameField
          isLabelHidden
          longest={200}
          label={`Name of transition ${showControls(id)}`}
          value={label}
          onChange={(next) => onChange(withTransition(pipeline, id, { label: next }))}
        />
        <span className="sm:hidden">{remove}</span>
      </div>
      <ChoiceField
        isLabelHidden
        label={`${name} leads from`}
        value={from}
        choices={[{ value: '*', label: 'Anywhere' }, ...statuses]}
        onChange={(next) => onChange(withTransition(pipeline, id, { from: next }))}
      />
      <ArrowRight size={15} aria-hidden className="text-faint" />
      <ChoiceField
        isLabelHidden
        label={`${name} leads to`}
        value={to}
        choices={statuses}
        onChange={(next) => onChange(withTransition(pipeline, id, { to: next }))}
      />
      <span className="max-sm:hidden">{remove}</span>
    </div>
  );
}
