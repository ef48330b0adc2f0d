import type { Project } from '@attractor/api';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { For } from '../../data/role.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { TextField } from '../../ui/field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { showControls } from '@attractor/api/shown';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';

/** Where the repository is now, and the end of the project. */
export function ProjectFolder({ project }: { readonly project: Project }) {
  const { busy, error, run } = useCommand();
  const [folder, setFolder] = useState(project.path);
  const [isEnding, setEnding] = useState(false);
  const move = async () => {
    if ((await run(() => api.projects.move(project.id, folder.trim()))) !== null) toast('The new folder is saved');
  };
  const remove = async () => {
    const removed = await run(() => api.projects.delete(project.id));
    if (removed === null) return;
    setEnding(false);
    toast(showControls(`${project.name} removed with ${removed.tasks} ${removed.tasks === 1 ? 'task' : 'tasks'}`));
  };
  return (
    <For least="admin" what="move and remove projects">
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void move();
        }}
      >
        <div className="min-w-0 flex-[1_1_20rem]">
          <TextField label="Its new folder, if it was moved" value={folder} onChange={setFolder} />
        </div>
        <Button type="submit" isBusy={busy} disabled={folder.trim() === project.path || folder.trim() === ''}>
          It is here now
        </Button>
        <Button kind="danger" onClick={() => setEnding(true)}>
          Remove the project
        </Button>
      </form>
      {isEnding ? null : <Refused error={error} />}
      {isEnding ? (
        <Confirm
          title={`Remove ${showControls(project.name)}`}
          act="Remove"
          busy={busy}
          error={error}
          onConfirm={() => void remove()}
          onClose={() => setEnding(false)}
        >
          Its tasks, runs and questions are removed for good. The repository in{' '}
          <code className="font-mono wrap-anywhere">{showControls(project.path)}</code> stays as it is.
        </Confirm>
      ) : null}
    </For>
  );
}
