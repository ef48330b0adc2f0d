import { keyOf, type Task } from '@attractor/api';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Refused } from '../../ui/notice.tsx';
import { Overlay } from '../../ui/overlay.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';
import { SplitEditor } from '../../waiting/split-editor.tsx';
import { emptyDraft, subtasksOf } from '@attractor/api/shown';

type DialogProps = { readonly task: Task; readonly onClose: () => void };

/** Divides a task by a person's own words; the task waits until its parts are settled. */
export function SplitTask({ task, onClose }: DialogProps) {
  const [drafts, setDrafts] = useState(() => [emptyDraft([]), emptyDraft([emptyDraft([])])]);
  const { busy, error, run } = useCommand();
  const split = async () => {
    const made = await run(() => api.tasks.makeSplit(task.id, { subtasks: subtasksOf(drafts) }));
    if (made === null) return;
    toast(`${keyOf(task)} is split: ${made.subtasks.map(({ key }) => key).join(', ')}`);
    onClose();
  };
  return (
    <Overlay title={`Split ${keyOf(task)}`} width="wide" onClose={onClose}>
      <div className="flex flex-col gap-3 p-4">
        <SplitEditor drafts={drafts} onChange={(next) => setDrafts([...next])} />
        <Refused error={error} />
        <div className="flex gap-2">
          <Button
            kind="primary"
            isBusy={busy}
            disabled={drafts.some(({ title }) => title.trim() === '')}
            onClick={() => void split()}
          >
            Split into {drafts.length} {drafts.length === 1 ? 'part' : 'parts'}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </div>
    </Overlay>
  );
}
