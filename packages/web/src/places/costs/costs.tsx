import type { CostQuery, Costs } from '@attractor/api';
import { type Loaded, useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useProject } from '../../data/project.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { FirstTask } from '../../project/first-task.tsx';
import { counted, showControls, showCost, showTokens } from '@attractor/api/shown';
import { Bars } from '../../ui/bars.tsx';
import { DayChart } from '../../ui/day-chart.tsx';
import { Empty, Loading, LoadFailed } from '../../ui/notice.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Table } from '../../ui/table.tsx';
import { useAddressValue } from '../../ui/use-address-value.ts';
import { Budgets } from './budgets.tsx';

const GROUPS = [
  { name: 'project', label: 'Project' },
  { name: 'task', label: 'Task' },
  { name: 'agent', label: 'Agent' },
  { name: 'model', label: 'Model' },
] as const;

type Group = (typeof GROUPS)[number]['name'];

/** What was spent, on what and when. */
export function CostsPlace() {
  const [given, setGroup] = useAddressValue('by');
  const group: Group = GROUPS.find(({ name }) => name === given)?.name ?? 'project';
  const costs = useCosts(group);
  const days = useCosts('day');
  return (
    <>
      <PageHead title="Costs" about={costs.state === 'ready' ? <Total costs={costs.value} /> : undefined}>
        <Segments
          label="By"
          choices={GROUPS}
          chosen={group}
          onChoose={(name) => setGroup(name === 'project' ? null : name)}
        />
      </PageHead>
      {costs.state === 'loading' ? <Loading lines={8} /> : null}
      {costs.state === 'failed' ? <LoadFailed error={costs.error} again={costs.again} /> : null}
      {costs.state === 'ready' ? <Spent costs={costs.value} days={days} group={group} /> : null}
      <Budgets />
    </>
  );
}

type SpentProps = { readonly costs: Costs; readonly days: Loaded<Costs>; readonly group: Group };

function Spent({ costs, days, group }: SpentProps) {
  if (isNothing(costs.total))
    return (
      <Empty title="Nothing has been spent yet">
        <p>Each run adds the cost of its model, if the prices are known.</p>
        <FirstTask />
      </Empty>
    );
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {days.state === 'ready' ? <ByDay costs={days.value} /> : null}
        <Panel title={`By ${group}`}>
          <Bars
            label={`Cost by ${group}`}
            bars={costs.rows.slice(0, SHOWN).map(({ label, knownCostUsd }) => ({
              name: showControls(label),
              value: knownCostUsd,
              shown: showCost(knownCostUsd),
            }))}
          />
        </Panel>
      </div>
      <CostTable costs={costs} group={group} />
    </div>
  );
}

/** As many bars as are as high as the chart of days; the table below has all. */
const SHOWN = 8;

function ByDay({ costs }: { readonly costs: Costs }) {
  const days = costs.rows
    .toSorted((a, b) => a.key.localeCompare(b.key))
    .map(({ key, knownCostUsd }) => ({ day: key, value: knownCostUsd, shown: showCost(knownCostUsd) }));
  return (
    <Panel title="By day">
      <DayChart label="Cost by day" days={days} show={showCost} />
    </Panel>
  );
}

function useCosts(groupBy: NonNullable<CostQuery['groupBy']>) {
  const { projectId } = useProject();
  useAfterLog(['costs']);
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return useAnswer(['costs', groupBy, projectId], () =>
    api.costs.list({ groupBy, timeZone, ...(projectId === null ? {} : { projectId }) }),
  );
}

/** What cost something is shown, however many runs it is counted to. */
function isNothing({ runs, knownCostUsd, unpricedCalls }: Costs['total']): boolean {
  return runs === 0 && knownCostUsd === 0 && unpricedCalls === 0;
}

function Total({ costs: { total } }: { readonly costs: Costs }) {
  return (
    <>
      <span className="font-semibold text-ink tabular-nums">{showCost(total.knownCostUsd)}</span>
      {total.runs === 0 ? '' : ` in ${counted(total.runs, 'run')}`}
      {total.unpricedCalls === 0 ? '' : `, and ${counted(total.unpricedCalls, 'call')} without a known price`}
    </>
  );
}

function CostTable({ costs, group }: { readonly costs: Costs; readonly group: Group }) {
  return (
    <Table
      label={`Costs by ${group}`}
      rows={costs.rows}
      keyOf={({ key }) => key}
      columns={[
        { name: GROUPS.find(({ name }) => name === group)?.label ?? group, show: ({ label }) => showControls(label) },
        { name: 'Cost', isNumber: true, show: ({ costUsd }) => showCost(costUsd) },
        { name: 'Runs', isNumber: true, show: ({ runs }) => runs },
        { name: 'Input', isNumber: true, show: ({ inputTokens }) => showTokens(inputTokens) },
        { name: 'Cache read', isNumber: true, show: ({ cacheReadTokens }) => showTokens(cacheReadTokens) },
        { name: 'Output', isNumber: true, show: ({ outputTokens }) => showTokens(outputTokens) },
      ]}
    />
  );
}
