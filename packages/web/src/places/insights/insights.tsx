import type { AgentComparison, RunStats } from '@attractor/api';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useProject } from '../../data/project.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { FirstTask } from '../../project/first-task.tsx';
import {
  agentName,
  costPerAccepted,
  counted,
  durationOf,
  hasEnded,
  percentOf,
  showCost,
  successBar,
  waitingBars,
} from '@attractor/api/shown';
import { PlaceLoading } from '../../shell/place-loading.tsx';
import { Bars } from '../../ui/bars.tsx';
import { Empty } from '../../ui/notice.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PlaceFailed } from '../../ui/place-failed.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';

/** How runs go, and which agent does what at which price. */
export function InsightsPlace() {
  const { projectId } = useProject();
  const query = projectId === null ? {} : { projectId };
  useAfterLog(['insights']);
  const stats = useAnswer(['insights', 'stats', projectId], () => api.costs.stats(query));
  const agents = useAnswer(['insights', 'agents', projectId], () => api.costs.compareAgents(query));
  if (stats.state === 'loading' || agents.state === 'loading') return <PlaceLoading />;
  if (stats.state === 'failed') return <PlaceFailed error={stats.error} again={stats.again} />;
  if (agents.state === 'failed') return <PlaceFailed error={agents.error} again={agents.again} />;
  const ended = agents.value.filter(hasEnded);
  return (
    <>
      <PageHead title="Insights" about={counted(stats.value.runs, 'run')} />
      {stats.value.runs === 0 ? (
        <Empty title="No run has ended yet">
          <p>Success, time and cost of agents are compared here.</p>
          <FirstTask />
        </Empty>
      ) : (
        <div className="flex flex-col gap-4">
          <Figures stats={stats.value} agents={agents.value} />
          <div className="grid gap-4 lg:grid-cols-2">
            <Panel title="Success by agent">
              <Bars label="Success by agent" bars={ended.map(successBar)} whole={1} />
            </Panel>
            <Panel title="Where the time goes">
              <Bars label="Time by what it was spent on" bars={waitingBars(stats.value)} />
            </Panel>
          </div>
          <AgentTable agents={ended} />
        </div>
      )}
    </>
  );
}

type FiguresProps = { readonly stats: RunStats; readonly agents: ReadonlyArray<AgentComparison> };

function Figures({ stats, agents }: FiguresProps) {
  const figures: ReadonlyArray<readonly [string, string]> = [
    ['Success', percentOf(stats.successRate)],
    ['Median time', durationOf(stats.medianDurationMs)],
    ['Retries', String(stats.retries)],
    ['Cost per accepted change', costPerAccepted(agents)],
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 xl:grid-cols-4">
      {figures.map(([name, value]) => (
        <div
          key={name}
          className="flex flex-col justify-between rounded-lg border border-line bg-panel px-4 py-3 max-sm:px-3"
        >
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="text-xl max-sm:text-lg font-semibold tracking-tight tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function AgentTable({ agents }: { readonly agents: ReadonlyArray<AgentComparison> }) {
  return (
    <Table
      label="Agents compared"
      rows={agents}
      keyOf={(one) => `${one.agentType} ${one.model}`}
      columns={[
        { name: 'Agent', show: agentName },
        { name: 'Runs', isNumber: true, show: ({ runs }) => runs },
        { name: 'Success', isNumber: true, show: ({ successRate }) => percentOf(successRate) },
        { name: 'Failed', isNumber: true, show: ({ failed, timeout }) => failed + timeout },
        { name: 'Median time', isNumber: true, show: ({ medianDurationMs }) => durationOf(medianDurationMs) },
        { name: 'Mean time', isNumber: true, show: ({ meanDurationMs }) => durationOf(meanDurationMs) },
        { name: 'Retries', isNumber: true, show: ({ retries }) => retries },
        { name: 'Cost', isNumber: true, show: ({ spend }) => showCost(spend.costUsd) },
        {
          name: 'Per completed run',
          isNumber: true,
          show: ({ costPerCompletedUsd }) => (costPerCompletedUsd === null ? '–' : showCost(costPerCompletedUsd)),
        },
        { name: 'Accepted', isNumber: true, show: ({ accepted }) => accepted },
        {
          name: 'Per accepted change',
          isNumber: true,
          show: ({ costPerAcceptedUsd }) => (costPerAcceptedUsd === null ? '–' : showCost(costPerAcceptedUsd)),
        },
      ]}
    />
  );
}
