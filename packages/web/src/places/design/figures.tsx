import { Bars } from '../../ui/bars.tsx';
import { DayChart } from '../../ui/day-chart.tsx';
import { KeyCaps } from '../../ui/key-caps.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Ring } from '../../ui/ring.tsx';
import { Table } from '../../ui/table.tsx';
import { Ago, Elapsed } from '../../ui/time.tsx';

const BARS = [
  { name: 'One', value: 3, shown: '3' },
  { name: 'Two', value: 1, shown: '1' },
];
const DAYS = [
  { day: '2026-01-01', value: 2, shown: '$2.00' },
  { day: '2026-01-12', value: 5, shown: '$5.00' },
];
const BEGUN = '2026-01-01T10:00:00.000Z';

/** Amounts and times. */
export function Figures() {
  return (
    <>
      <Panel title="Figures">
        <div className="flex flex-col gap-3">
          <Bars label="Bars" bars={BARS} />
          <DayChart label="Days" days={DAYS} />
          <KeyCaps keys={['Ctrl', 'K']} />
          <p className="flex gap-3">
            <Ring share={0} label="0 %" />
            <Ring share={0.42} label="42 %" />
            <Ring share={0.9} label="90 %" />
          </p>
        </div>
      </Panel>
      <Panel title="Times">
        <p className="flex gap-4">
          <Ago at={BEGUN} />
          <Elapsed since={BEGUN} until="2026-01-01T10:12:00.000Z" />
          <Elapsed since={BEGUN} until={null} />
        </p>
      </Panel>
      <Table
        label="Table"
        rows={BARS}
        keyOf={({ name }) => name}
        columns={[
          { name: 'Name', show: ({ name }) => name },
          { name: 'Amount', isNumber: true, show: ({ shown }) => shown },
        ]}
      />
    </>
  );
}
