import { useState } from 'react';
import { api } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { showControls } from '../../ui/plain-text.ts';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';

type BulkBarProps = { readonly selected: ReadonlySet<string>; readonly onDone: () => void };

/** What can be done with several tasks at once. */
export function BulkBar({ selected, onDone }: BulkBarProps) {
  const { busy, error, run } = useCommand();
  const [label, setLabel] = useState('');
  if (selected.size === 0) return null;
  const taskIds = [...selected];
  const act = async (
    body: { readonly to?: string; readonly edit?: { readonly tags: ReadonlyArray<string> } },
    what: string,
  ) => {
    const result = await run(() => api.tasks.bulkUpdate({ taskIds, ...body }));
    if (result === null) return;
    const [first] = result.refused;
    const refused = first === undefined ? '' : `; ${result.refused.length} refused: ${first.message}`;
    toast(showControls(`${result.done.length} ${what}${refused}`), { isBad: result.done.length === 0 });
    onDone();
  };
  return (
    <div
      role="region"
      aria-label="Selected tasks"
      className="sticky top-12 z-[5] mb-3 flex flex-wrap items-end gap-3 rounded-lg border border-edge bg-raised px-4 py-2 shadow-menu"
    >
      <span className="min-h-8 content-center text-sm font-medium">{selected.size} selected</span>
      <TextField label="Label" value={label} onChange={setLabel} />
      <Button
        disabled={busy || label.trim() === ''}
        onClick={() => void act({ edit: { tags: [label.trim()] } }, 'labelled')}
      >
        Set label
      </Button>
      <Button disabled={busy} onClick={() => void act({ to: 'cancelled' }, 'cancelled')}>
        Cancel them
      </Button>
      <Button kind="quiet" onClick={onDone}>
        Clear
      </Button>
      <Refused error={error} />
    </div>
  );
}
