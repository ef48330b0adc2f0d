import type { AgentInfo, Project } from '@attractor/api';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { useAnswer } from '../data/answers.ts';
import { api } from '../data/api.ts';
import { For } from '../data/role.tsx';
import { Button } from '../ui/button.tsx';
import { Loading, LoadFailed, Refused } from '../ui/notice.tsx';
import { showControls } from '@attractor/api/shown';
import { toast } from '../ui/toast.tsx';
import { useCommand } from '../ui/use-command.ts';
import { WithFlags } from '../ui/with-flags.tsx';

const SCRIPTED = 'scripted';

/** Whether tasks of a project find somebody who works: null until it is known. */
export function useWorkers(project: Project | undefined) {
  const agents = useAnswer(['agents'], () => api.agents.list());
  const isScripted = project?.config.defaultAgentType === SCRIPTED;
  const others = agents.state === 'ready' ? agents.value.filter(({ type }) => type !== SCRIPTED) : [];
  return { agents, others, isScripted, canWork: isScripted || others.some(({ available }) => available) };
}

type AgentsReadyProps = {
  readonly project: Project | undefined;
  /** What comes before it is done. */
  readonly isNext: boolean;
};

/** Which agents are ready here, where the others were searched for, and what to do without any. */
export function AgentsReady({ project, isNext }: AgentsReadyProps) {
  const { agents, others, isScripted, canWork } = useWorkers(project);
  if (agents.state === 'loading') return <Loading lines={2} />;
  if (agents.state === 'failed') return <LoadFailed error={agents.error} again={agents.again} />;
  const ready = others.filter(({ available }) => available);
  return (
    <div className="flex flex-col gap-3">
      {ready.length === 0 ? (
        <p className={isScripted ? 'text-soft' : 'text-wait'}>
          {isScripted ? 'No other agent is ready' : 'No agent is ready'}: our own needs a model, and no other one is
          installed.
        </p>
      ) : (
        <ul aria-label="Agents that are ready" className="flex flex-wrap gap-x-4 gap-y-1">
          {ready.map(({ type, displayName }) => (
            <li key={type} className="inline-flex items-center gap-1.5">
              <CircleCheck size={14} aria-hidden className="text-good" /> {showControls(displayName)} is ready
            </li>
          ))}
        </ul>
      )}
      {isScripted || !canWork ? <Scripted project={project} isScripted={isScripted} isNext={isNext} /> : null}
      <Searched agents={others.filter(({ available }) => !available)} />
    </div>
  );
}

function Searched({ agents }: { readonly agents: ReadonlyArray<AgentInfo> }) {
  if (agents.length === 0) return null;
  return (
    <details>
      <summary className="inline-flex min-h-control items-center text-soft underline underline-offset-2">
        What was searched for, and how to install it
      </summary>
      <ul aria-label="Agents that are not ready" className="flex flex-col gap-1.5">
        {agents.map(({ type, displayName, reason }) => (
          <li key={type} className="flex min-w-0 items-start gap-1.5">
            <CircleDashed size={14} aria-hidden className="mt-0.5 shrink-0 text-faint" />
            <span className="min-w-0 break-words">
              <span className="font-medium">{showControls(displayName)}</span>
              {reason?.startsWith(`${displayName} `) === true ? ' ' : ': '}
              <WithFlags text={(reason ?? '').replace(`${displayName} is not`, 'is not')} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

type ScriptedProps = AgentsReadyProps & { readonly isScripted: boolean };

function Scripted({ project, isScripted, isNext }: ScriptedProps) {
  const { busy, error, run } = useCommand();
  const change = async (defaultAgentType: string | null) => {
    if (project === undefined) return;
    const changed = await run(() => api.projects.update(project.id, { config: { defaultAgentType } }));
    if (changed !== null)
      toast(defaultAgentType === null ? 'The scripted agent is off again' : 'The scripted agent works here now');
  };
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line bg-well px-3 py-2.5">
      <p>
        <span className="font-medium">The scripted agent</span> needs no account and no model: it follows prepared steps
        and shows how a task goes.
      </p>
      {isScripted ? (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="inline-flex items-center gap-1.5">
            <CircleCheck size={14} aria-hidden className="text-good" /> It works on the tasks of{' '}
            {showControls(project?.name ?? '')}.
          </span>
          <For least="admin">
            <Button isBusy={busy} onClick={() => void change(null)}>
              Stop using it
            </Button>
          </For>
        </p>
      ) : (
        <For least="admin" what="choose it">
          <div className="flex flex-wrap items-center gap-3">
            <Button
              kind={isNext ? 'primary' : 'plain'}
              isBusy={busy}
              disabled={project === undefined}
              onClick={() => void change(SCRIPTED)}
            >
              Use the scripted agent
            </Button>
            {project === undefined ? <span className="text-faint">Once there is a project.</span> : null}
          </div>
        </For>
      )}
      <Refused error={error} />
    </div>
  );
}
