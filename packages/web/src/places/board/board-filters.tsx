import type { TaskListView } from '@attractor/api';
import { SlidersHorizontal } from 'lucide-react';
import { useMemo, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { ChoiceField, type Choice, TextField } from '../../ui/field.tsx';
import { useAddressValue } from '../../ui/use-address-value.ts';
import { agentsOf, GROUPS, labelsOf } from './board-filter.ts';

type BoardFiltersProps = {
  readonly list: TaskListView;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly pipelines: ReadonlyArray<Choice>;
  readonly pipelineId: string;
  readonly onPipeline: (id: string) => void;
  readonly isList: boolean;
};

const ANY = { value: '', label: 'Any' };
const GROUPED = [
  { value: '', label: 'Nothing' },
  ...GROUPS.map((value) => ({ value, label: `${value.charAt(0).toUpperCase()}${value.slice(1)}` })),
];
const ONLY = [
  ANY,
  { value: 'waiting', label: 'Waiting for you' },
  { value: 'running', label: 'Running' },
  { value: 'failed', label: 'Failed' },
];

/** Narrows what is shown; the choices are in the address. */
export function BoardFilters({ list, text, onText, pipelines, pipelineId, onPipeline, isList }: BoardFiltersProps) {
  const [agent, setAgent] = useAddressValue('agent');
  const [label, setLabel] = useAddressValue('label');
  const [only, setOnly] = useAddressValue('only');
  const [group, setGroup] = useAddressValue('group');
  const [agents, labels] = useMemo(() => [agentsOf(list), labelsOf(list)], [list]);
  const [isOpen, setOpen] = useState(false);
  // On a phone the tasks come first.
  const hasPipelines = !isList && pipelines.length > 1;
  const isWhole = isOpen || only !== null || agent !== null || label !== null;
  const folded = hasPipelines ? 'grid-cols-[minmax(0,3fr)_minmax(0,2fr)_auto]' : 'grid-cols-[minmax(0,1fr)_auto]';
  return (
    <div className={`mb-4 grid items-end gap-3 sm:flex sm:flex-wrap ${isWhole ? 'grid-cols-2' : folded}`}>
      <TextField label="Filter" type="search" value={text} placeholder="Words or a key" onChange={onText} />
      {hasPipelines ? (
        <ChoiceField label="Pipeline" value={pipelineId} choices={pipelines} onChange={onPipeline} />
      ) : null}
      {isWhole ? null : (
        <IconButton label="More choices" kind="plain" className="sm:hidden" onClick={() => setOpen(true)}>
          <SlidersHorizontal size={15} aria-hidden />
        </IconButton>
      )}
      <div className={isWhole ? 'contents' : 'hidden sm:contents'}>
        <ChoiceField label="Standing" value={only ?? ''} choices={ONLY} onChange={(value) => setOnly(value || null)} />
        <ChoiceField
          label="Agent"
          value={agent ?? ''}
          choices={[ANY, ...agents.map(same)]}
          onChange={(value) => setAgent(value || null)}
        />
        {labels.length === 0 ? null : (
          <ChoiceField
            label="Label"
            value={label ?? ''}
            choices={[ANY, ...labels.map(same)]}
            onChange={(value) => setLabel(value || null)}
          />
        )}
        {isList ? (
          <ChoiceField
            label="Group by"
            value={group ?? ''}
            choices={GROUPED}
            onChange={(value) => setGroup(value || null)}
          />
        ) : null}
      </div>
    </div>
  );
}

function same(text: string): Choice {
  return { value: text, label: text };
}
