import type { TaskListView } from '@attractor/api';
import { SlidersHorizontal } from 'lucide-react';
import { useMemo, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { ChoiceField, type Choice, TextField } from '../../ui/field.tsx';
import { useAddressValue } from '../../ui/use-address-value.ts';
import { agentsOf, GROUPS, labelsOf } from '@attractor/api/shown';

type BoardFiltersProps = {
  readonly list: TaskListView;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly pipelines: ReadonlyArray<Choice>;
  readonly pipelineId: string;
  readonly onPipeline: (id: string) => void;
  readonly isList: boolean;
};

/** Each choice says itself what it chooses: no line of names over all of them. */
const GROUPED = [{ value: '', label: 'No groups' }, ...GROUPS.map((value) => ({ value, label: `By ${value}` }))];
const ONLY = [
  { value: '', label: 'Any standing' },
  { value: 'waiting', label: 'Waiting for you' },
  { value: 'running', label: 'Running' },
  { value: 'failed', label: 'Failed' },
];

/** Narrows what is shown; the choices are in the address. */
export function BoardFilters({ list, text, onText, pipelines, pipelineId, onPipeline, isList }: BoardFiltersProps) {
  const [agent] = useAddressValue('agent');
  const [label] = useAddressValue('label');
  const [only] = useAddressValue('only');
  const [isOpen, setOpen] = useState(false);
  // On a phone the tasks come first.
  const hasPipelines = !isList && pipelines.length > 1;
  const isWhole = isOpen || only !== null || agent !== null || label !== null;
  const folded = hasPipelines ? 'grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]' : 'grid-cols-[minmax(0,1fr)_auto]';
  return (
    <div
      className={`mb-4 grid items-end gap-3 sm:flex sm:flex-wrap sm:[&_select]:max-w-36 ${isWhole ? 'grid-cols-2' : folded}`}
    >
      <TextField label="Filter" isLabelHidden type="search" value={text} placeholder="Filter…" onChange={onText} />
      {hasPipelines ? (
        <ChoiceField label="Pipeline" isLabelHidden value={pipelineId} choices={pipelines} onChange={onPipeline} />
      ) : null}
      {isWhole ? null : (
        <IconButton label="More choices" kind="plain" className="sm:hidden" onClick={() => setOpen(true)}>
          <SlidersHorizontal size={15} aria-hidden />
        </IconButton>
      )}
      <div className={isWhole ? 'contents' : 'hidden sm:contents'}>
        <Narrowing list={list} isList={isList} />
      </div>
    </div>
  );
}

/** By how tasks stand, by who works on them and by their labels. */
function Narrowing({ list, isList }: Pick<BoardFiltersProps, 'list' | 'isList'>) {
  const [agent, setAgent] = useAddressValue('agent');
  const [label, setLabel] = useAddressValue('label');
  const [only, setOnly] = useAddressValue('only');
  const [group, setGroup] = useAddressValue('group');
  const [agents, labels] = useMemo(() => [agentsOf(list), labelsOf(list)], [list]);
  return (
    <>
      <ChoiceField
        label="Standing"
        isLabelHidden
        value={only ?? ''}
        choices={ONLY}
        onChange={(value) => setOnly(value || null)}
      />
      <ChoiceField
        label="Agent"
        isLabelHidden
        value={agent ?? ''}
        choices={[{ value: '', label: 'Any agent' }, ...agents.map(same)]}
        onChange={(value) => setAgent(value || null)}
      />
      {labels.length === 0 ? null : (
        <ChoiceField
          label="Label"
          isLabelHidden
          value={label ?? ''}
          choices={[{ value: '', label: 'Any label' }, ...labels.map(same)]}
          onChange={(value) => setLabel(value || null)}
        />
      )}
      {isList ? (
        <ChoiceField
          label="Group by"
          isLabelHidden
          value={group ?? ''}
          choices={GROUPED}
          onChange={(value) => setGroup(value || null)}
        />
      ) : null}
    </>
  );
}

function same(text: string): Choice {
  return { value: text, label: text };
}
