import type { Project } from '@attractor/api';
import { useState } from 'react';
import { api } from '../data/api.ts';
import { For } from '../data/role.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Refused } from '../ui/notice.tsx';
import { showControls } from '../ui/plain-text.ts';
import { toast } from '../ui/toast.tsx';
import { useCommand } from '../ui/use-command.ts';

type AddProjectProps = { readonly isFirst?: boolean; readonly onAdded?: (project: Project) => void };

/** A folder of the server's machine becomes a project. */
export function AddProject({ isFirst = false, onAdded }: AddProjectProps) {
  const [path, setPath] = useState('');
  const { busy, error, run } = useCommand();
  const add = async () => {
    const made = await run(() => api.projects.create({ path: path.trim() }));
    if (made === null) return;
    setPath('');
    toast(showControls(`Project ${made.name} added`));
    onAdded?.(made);
  };
  return (
    <For least="admin" what="add projects">
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <div className="min-w-0 flex-[1_1_320px]">
          <TextField
            label="Folder of a git repository, on the server’s machine"
            value={path}
            placeholder="/path/to/project"
            spellCheck={false}
            autoCapitalize="off"
            onChange={setPath}
          />
        </div>
        <Button kind={isFirst ? 'primary' : 'plain'} type="submit" disabled={busy || path.trim() === ''}>
          Add project
        </Button>
      </form>
      <div className="mt-2">
        <Refused error={error} />
      </div>
    </For>
  );
}
