import type { Project } from '@attractor/api';
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { Refused } from '../ui/notice.tsx';
import { useCommand } from '../ui/use-command.ts';

const FIELD = 'w-full rounded-md border border-edge bg-panel px-2.5 py-1.5';

/** A task in three fields; it opens on its own page, where it is started. */
export function NewTask({ projects }: { readonly projects: ReadonlyArray<Project> }) {
  const [open, setOpen] = useState(false);
  if (!open) {
    return (
      <Button kind="primary" onClick={() => setOpen(true)}>
        <Plus size={15} aria-hidden /> New task
      </Button>
    );
  }
  return <NewTaskForm projects={projects} onClose={() => setOpen(false)} />;
}

type FormProps = { readonly projects: ReadonlyArray<Project>; readonly onClose: () => void };

function NewTaskForm({ projects, onClose }: FormProps) {
  const [task, setTask] = useState({ title: '', description: '', projectId: projects[0]?.id ?? '' });
  const [, navigate] = useLocation();
  const { busy, error, run } = useCommand();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const created = await run(() => api.tasks.create(task));
    if (created !== null) navigate(`/tasks/${created.key}`);
  };
  return (
    <form
      aria-label="New task"
      onSubmit={(event) => void submit(event)}
      className="flex w-[min(34rem,calc(100vw-2rem))] flex-col gap-2 rounded-lg border border-edge bg-panel p-3"
    >
      <TitleField value={task.title} onChange={(title) => setTask({ ...task, title })} />
      <MessageField
        label="Details (Markdown, optional)"
        rows={4}
        value={task.description}
        onChange={(description) => setTask({ ...task, description })}
      />
      <label className="flex flex-col gap-1">
        <span className="text-[12px] text-soft">Project</span>
        <select
          className={FIELD}
          value={task.projectId}
          onChange={(event) => setTask({ ...task, projectId: event.target.value })}
        >
          {projects.map((project) => (
            <option key={project.id} value={project.id}>
              {project.name}
            </option>
          ))}
        </select>
      </label>
      <Refused error={error} />
      <div className="flex justify-end gap-2">
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="primary" type="submit" disabled={busy || task.title.trim() === ''}>
          Create task
        </Button>
      </div>
    </form>
  );
}

function TitleField({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <label className="flex flex-col gap-1">
      <span className="text-[12px] text-soft">What should change?</span>
      <input
        ref={input}
        className={FIELD}
        value={value}
        maxLength={500}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
