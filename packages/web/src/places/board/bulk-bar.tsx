import { type BulkUpdateBody, keyOf, type Task } from '@attractor/api';
import { expectedOfName } from '@attractor/base';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { usePipelines } from '../../data/use-pipelines.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { showControls, typeset, sharedStatuses, statusesOf } from '@attractor/api/shown';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';
import { DeleteTasks } from './delete-tasks.tsx';
import { whyNot } from './use-move.ts';

type BulkBarProps = { readonly selected: ReadonlyArray<Task>; readonly onDone: () => void };

/** What can be done with several tasks at once; each for itself, with the way back. */
export function BulkBar({ selected, onDone }: BulkBarProps) {
  const { busy, error, run } = useCommand();
  const [label, setLabel] = useState('');
  const pipelines = usePipelines(selected);
  const statuses = sharedStatuses(selected, pipelines);
  if (selected.length === 0) return null;
  const act = async (change: Omit<BulkUpdateBody, 'taskIds'>, what: string) => {
    const result = await run(() => api.tasks.bulkUpdate({ taskIds: selected.map(({ id }) => id), ...change }));
    if (result === null) return;
    const [first] = result.refused;
    const task = selected.find(({ id }) => id === first?.taskId);
    const why =
      task === undefined || change.to === undefined || first === undefined
        ? first?.message
        : await whyNot({ task, to: change.to, statuses: statusesOf(task, pipelines) }, first.message);
    const refused = why === undefined ? '' : `; ${staying(result.refused.length, task)}: ${why}`;
    const moved = selected.filter(({ id }) => result.done.includes(id));
    toast(showControls(`${result.done.length} ${what}${refused}`), {
      isBad: moved.length === 0,
      ...(moved.length === 0 ? {} : { undo: () => void takeBack(moved, change) }),
    });
    onDone();
  };
  const setLabels = () => act({ edit: { tags: [label.trim()] } }, 'labelled');
  return (
    <div
      role="region"
      aria-label="Selected tasks"
      className="sticky top-bar z-[5] mb-3 grid grid-cols-2 items-end gap-3 rounded-lg border border-edge bg-raised px-4 py-2 shadow-menu sm:flex sm:flex-wrap"
    >
      <span className="content-center text-sm font-medium max-sm:col-span-2 sm:min-h-control">
        {selected.length} selected
      </span>
      {statuses.length === 0 ? null : (
        <ChoiceField
          label="Move to"
          value=""
          choices={[
            { value: '', label: 'A status' },
            ...statuses.map(({ id, label: name }) => ({ value: id, label: showControls(name) })),
          ]}
          onChange={(to) => {
            if (to !== '') void act({ to }, `moved to ${statuses.find(({ id }) => id === to)?.label ?? to}`);
          }}
        />
      )}
      <NameField label="Label" longest={100} value={label} onChange={setLabel} />
      <div className="flex flex-wrap gap-3 max-sm:col-span-2">
        <Button isBusy={busy} disabled={expectedOfName(label, 100) !== null} onClick={() => void setLabels()}>
          Set label
        </Button>
        <DeleteTasks tasks={selected} onDone={onDone} />
        <Button kind="quiet" onClick={onDone}>
          Clear
        </Button>
      </div>
      <Refused error={error} />
    </div>
  );
}

/** With several, the reason shown is that of the first. */
function staying(count: number, first: Task | undefined): string {
  const key = first === undefined ? 'a task' : keyOf(first);
  return count === 1 ? `${key} was refused` : `${count} were refused, such as ${key}`;
}

/** Each goes back to where it was, or to the labels that it had. */
async function takeBack(tasks: ReadonlyArray<Task>, { to }: Omit<BulkUpdateBody, 'taskIds'>): Promise<void> {
  for (const { id, status, tags } of tasks) {
    const back = to === undefined ? await api.tasks.update(id, { tags }) : await api.tasks.reopen(id, { to: status });
    if (!back.ok) toast(typeset(back.error.message), { isBad: true });
  }
}
