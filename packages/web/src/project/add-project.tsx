import type { Project } from '@attractor/api';
import { useState } from 'react';
import { api } from '../data/api.ts';
import { For } from '../data/role.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Refused } from '../ui/notice.tsx';
import { showControls } from '@attractor/api/shown';
import { Segments } from '../ui/segments.tsx';
import { toast } from '../ui/toast.tsx';
import { useCommand } from '../ui/use-command.ts';
import { CopiesMade } from './copies-made.tsx';

type AddProjectProps = { readonly isFirst?: boolean; readonly onAdded?: (project: Project, way: Way) => void };

type Way = keyof typeof WAYS;

/** What each way asks for; the sample asks for nothing. */
const WAYS = {
  folder: {
    choice: 'A folder',
    label: 'Folder of a git repository, on the server’s machine',
    placeholder: '/path/to/project',
    about: null,
    button: 'Add project',
    meanwhile: 'Adding…',
    add: (path: string) => api.projects.create({ path }),
  },
  clone: {
    choice: 'Clone a repository',
    label: 'Address of a git repository',
    placeholder: 'https://example.com/team/project.git',
    about:
      'Cloned into a folder on the server. It uses what git there knows, such as an ssh key, and never asks for a password.',
    button: 'Clone and add',
    meanwhile: 'Cloning…',
    add: (url: string) => api.projects.clone({ url }),
  },
  sample: {
    choice: 'The sample',
    label: null,
    placeholder: '',
    about: 'A small library with two failing tests, in a folder on the server, to try everything out.',
    button: 'Use the sample',
    meanwhile: 'Making it…',
    add: () => api.projects.sample(),
  },
} as const;

const CHOICES = (['folder', 'clone', 'sample'] as const).map((name) => ({ name, label: WAYS[name].choice }));

/** A folder of the server's machine, a clone or the sample becomes a project. */
export function AddProject({ isFirst = false, onAdded }: AddProjectProps) {
  const [way, setWay] = useState<Way>('folder');
  const [text, setText] = useState('');
  const { busy, error, run, forget } = useCommand();
  const { label, placeholder, about, button, meanwhile } = WAYS[way];
  const add = async () => {
    const made = await run(() => WAYS[way].add(text.trim()));
    if (made === null) return;
    setText('');
    toast(showControls(`Project ${made.name} added`));
    onAdded?.(made, way);
  };
  const choose = (next: Way) => {
    setWay(next);
    setText('');
    forget();
  };
  return (
    <For least="admin" what="add projects">
      <Segments label="Where the project comes from" choices={CHOICES} chosen={way} onChoose={choose} />
      <form
        className="mt-3 flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        {label === null ? null : (
          <div className="min-w-0 flex-[1_1_320px]">
            <TextField
              key={way}
              label={label}
              value={text}
              placeholder={placeholder}
              spellCheck={false}
              autoCapitalize="off"
              onChange={setText}
            />
          </div>
        )}
        {about === null ? null : <p className="order-last basis-full text-sm text-soft">{about}</p>}
        <Button
          kind={isFirst ? 'primary' : 'plain'}
          type="submit"
          isBusy={busy}
          disabled={label !== null && text.trim() === ''}
        >
          {busy ? meanwhile : button}
        </Button>
      </form>
      <CopiesMade isCloning={busy && way === 'clone'} />
      <div className="mt-2 empty:hidden">
        <Refused error={error} />
      </div>
    </For>
  );
}
