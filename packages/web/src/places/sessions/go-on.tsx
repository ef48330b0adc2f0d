import type { AgentSession } from '@attractor/api';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { keepDraft } from '../../data/draft.ts';
import { useProject } from '../../data/project.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { WithFlags } from '../../ui/with-flags.tsx';
import { howToResume } from '@attractor/api/shown';

/** The ways on: in a terminal, where it was begun, or as a task. */
export function GoOn({ session }: { readonly session: AgentSession }) {
  const { id, cwd, title } = session;
  const [isCopied, setCopied] = useState(false);
  const [, navigate] = useLocation();
  const { projects } = useProject();
  const project = projects.find(({ path }) => cwd === path || cwd.startsWith(`${path}/`));
  const command = howToResume(cwd, id);
  const copy = () => void navigator.clipboard.writeText(command).then(() => setCopied(true));
  const makeTask = () => {
    const description = `Go on with what was begun in the session \`${id}\` (read it with \`attractor sessions show ${id}\`).\n`;
    keepDraft('new-task', JSON.stringify({ projectId: project?.id, title: title.slice(0, 200), description }));
    navigate('/new');
  };
  return (
    <Panel title="Go on with it">
      <div className="flex flex-col gap-3 text-sm">
        <p>Here, or in a terminal on the server’s machine:</p>
        <code className="rounded-md bg-well px-2.5 py-1.5 font-mono wrap-anywhere">
          <WithFlags text={command} />
        </code>
        <div className="flex flex-wrap gap-2">
          <Button onClick={copy}>{isCopied ? 'Copied' : 'Copy'}</Button>
          {project === undefined ? null : <Button onClick={makeTask}>Make a task of it</Button>}
        </div>
        <p className="text-soft">A fork shares the past and leaves this session as it is.</p>
      </div>
    </Panel>
  );
}
