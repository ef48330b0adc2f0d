import type { Project } from '@attractor/api';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useProject } from '../../data/project.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Empty, Refused } from '../../ui/notice.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showControls } from '../../ui/plain-text.ts';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';
import { EffectiveSettings } from './effective-settings.tsx';

/** The repositories that agents may work on. */
export function ProjectsPlace() {
  const { projects } = useProject();
  return (
    <>
      <PageHead title="Projects" />
      <div className="flex flex-col gap-4">
        {projects.length === 0 ? (
          <Empty title="No project yet">
            Name the folder of a git repository on this machine. Agents work in worktrees of their own: your checkout is
            never touched.
          </Empty>
        ) : null}
        <AddProject />
        {projects.map((project) => (
          <ProjectPanel key={project.id} project={project} />
        ))}
      </div>
    </>
  );
}

function AddProject() {
  const [path, setPath] = useState('');
  const { busy, error, run } = useCommand();
  const add = async () => {
    const made = await run(() => api.projects.create({ path: path.trim() }));
    if (made === null) return;
    setPath('');
    toast(showControls(`Project ${made.name} added`));
  };
  return (
    <Panel title="Add a project">
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <div className="min-w-0 flex-[1_1_320px]">
          <TextField
            label="Folder of a git repository"
            value={path}
            placeholder="/path/to/project"
            onChange={setPath}
          />
        </div>
        <Button kind="primary" type="submit" disabled={busy || path.trim() === ''}>
          Add project
        </Button>
      </form>
      <div className="mt-2">
        <Refused error={error} />
      </div>
    </Panel>
  );
}

function ProjectPanel({ project }: { readonly project: Project }) {
  const [isOpen, setOpen] = useState(false);
  useAfterLog(['project', project.id]);
  const info = useAnswer(['project', project.id, 'info'], () => api.projects.info(project.id));
  const side = (
    <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {isOpen ? 'Hide settings' : 'Show settings'}
    </Button>
  );
  return (
    <Panel title={showControls(project.name)} side={side}>
      <p className="text-sm break-all text-soft">
        <code className="font-mono">{showControls(project.path)}</code> on{' '}
        <code className="font-mono">{showControls(project.defaultBranch)}</code>
      </p>
      {info.state === 'ready' ? (
        <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-soft">
          {Object.entries(info.value.tasks).map(([status, count]) => (
            <span key={status}>
              {count} {showControls(status.replaceAll('_', ' '))}
            </span>
          ))}
          <span>{info.value.runningRuns} running</span>
          <span>{info.value.pendingPrompts} waiting for you</span>
        </p>
      ) : null}
      {isOpen ? <EffectiveSettings projectId={project.id} /> : null}
    </Panel>
  );
}
