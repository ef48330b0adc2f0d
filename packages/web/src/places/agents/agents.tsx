import type { AgentInfo } from '@attractor/api';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { ModelsReady } from '../../project/models-ready.tsx';
import { settingName, settingValue, showControls } from '@attractor/api/shown';
import { Loading, LoadFailed } from '../../ui/notice.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Panel } from '../../ui/panel.tsx';
import { WithFlags } from '../../ui/with-flags.tsx';
import { QueuePanel } from './queue-panel.tsx';

/** Who can work here, and what is missing for the others. */
export function AgentsPlace() {
  const agents = useAnswer(['agents'], () => api.agents.list());
  return (
    <>
      <PageHead title="Agents" />
      {agents.state === 'loading' ? <Loading /> : null}
      {agents.state === 'failed' ? <LoadFailed error={agents.error} again={agents.again} /> : null}
      {agents.state === 'ready' ? (
        <ul className="mb-4 grid gap-3 empty:hidden lg:grid-cols-2">
          {agents.value.map((agent) => (
            <Agent key={agent.type} agent={agent} />
          ))}
        </ul>
      ) : null}
      <Panel title="Models">
        <ModelsReady />
      </Panel>
      <QueuePanel />
    </>
  );
}

function Agent({
  agent: { type, displayName, available, reason, isDefault, defaults },
}: {
  readonly agent: AgentInfo;
}) {
  const facts = Object.entries(defaults).filter(([, value]) => value !== undefined && value !== '');
  return (
    <li className="rounded-lg border border-line bg-panel px-4 py-3 text-sm">
      <h2 className="flex items-center gap-2 text-base font-semibold">
        {showControls(displayName)}
        {isDefault ? <span className="text-sm font-normal text-soft">default</span> : null}
        <span
          className={`ml-auto inline-flex items-center gap-1.5 text-sm font-medium ${available ? 'text-good' : 'text-soft'}`}
        >
          {available ? <CircleCheck size={14} aria-hidden /> : <CircleDashed size={14} aria-hidden />}
          {available ? 'Ready' : 'Not available'}
        </span>
      </h2>
      <p className="text-faint">
        <code className="font-mono">{showControls(type)}</code>
      </p>
      {reason === null ? null : (
        <p className="mt-2 break-words">
          <WithFlags text={reason} />
        </p>
      )}
      <dl className="mt-2 flex flex-wrap gap-x-4 text-soft">
        {facts.map(([name, value]) => (
          <div key={name} className="flex gap-1.5">
            <dt>{settingName(name)}</dt>
            <dd className="text-ink">{settingValue(name, value)}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
