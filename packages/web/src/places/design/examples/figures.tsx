import { showControls } from '@attractor/api/shown';
import { Bars } from '../../../ui/bars.tsx';
import { DayChart } from '../../../ui/day-chart.tsx';
import { KeyCaps } from '../../../ui/key-caps.tsx';
import { Ring } from '../../../ui/ring.tsx';
import { Table } from '../../../ui/table.tsx';
import { Ago, Elapsed } from '../../../ui/time.tsx';
import { HOSTILE, LONG, NO_ERROR, NO_WORDS, none, type Part, STILL } from './example.tsx';

type Row = { readonly name: string; readonly value: number; readonly shown: string };

const rowOf = (name: string, value = 3): Row => ({ name, value, shown: String(value) });
const ROWS = [rowOf('claude'), rowOf('codex', 1), rowOf('scripted', 0)];
const DAYS = [
  { day: '2026-01-01', value: 2, shown: '$2.00' },
  { day: '2026-01-12', value: 5, shown: '$5.00' },
];
const MANY_DAYS = Array.from({ length: 90 }, (_, at) => {
  const value = (at * 7) % 11;
  const day = new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);
  return { day, value, shown: `$${value}.00` };
});
const dollars = (value: number) => `$${value}.00`;
const BEGUN = '2026-01-01T10:00:00.000Z';
const JUST_NOW = new Date().toISOString();

function Rows({ rows }: { readonly rows: ReadonlyArray<Row> }) {
  return (
    <Table
      label="Agents"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { name: 'Agent', show: ({ name }) => showControls(name) },
        { name: 'Runs', isNumber: true, show: ({ shown }) => shown },
        { name: 'Cost', isNumber: true, show: ({ value }) => dollars(value) },
      ]}
    />
  );
}

const OWN_WORDS = none('Its words are our own.');
const FOCUS = none('It is scrolled with the keys; the ring is that of every part.');

/** Amounts and times. */
export const FIGURES: ReadonlyArray<Part> = [
  {
    of: 'Table',
    from: 'ui/table.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      focus: FOCUS,
      default: <Rows rows={ROWS} />,
      empty: none('Empty takes its place.'),
      long: <Rows rows={[rowOf(LONG)]} />,
      hostile: <Rows rows={[rowOf(HOSTILE)]} />,
    },
  },
  {
    of: 'Bars',
    from: 'ui/bars.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      default: <Bars label="By agent" bars={ROWS} />,
      empty: none('Empty takes its place.'),
      long: <Bars label="Long" bars={[rowOf(LONG)]} />,
      hostile: <Bars label="Hostile" bars={[rowOf(showControls(HOSTILE))]} />,
    },
  },
  {
    of: 'DayChart',
    from: 'ui/day-chart.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      focus: FOCUS,
      default: <DayChart label="Days" days={DAYS} show={dollars} />,
      empty: none('Empty takes its place.'),
      long: <DayChart label="Many days" days={MANY_DAYS} show={dollars} />,
      hostile: OWN_WORDS,
    },
  },
  {
    of: 'Ring',
    from: 'ui/ring.tsx',
    states: {
      ...STILL,
      ...NO_WORDS,
      default: <Ring share={0.42} label="42 %" />,
      error: <Ring share={0.9} label="90 %" />,
      empty: <Ring share={0} label="0 %" />,
    },
  },
  {
    of: 'KeyCaps',
    from: 'ui/key-caps.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      default: <KeyCaps keys={['Ctrl', 'K']} />,
      empty: <KeyCaps keys={[]} />,
      long: <KeyCaps keys={['Ctrl', 'Shift', 'Backspace', 'Enter']} />,
      hostile: OWN_WORDS,
    },
  },
  {
    of: 'Elapsed',
    from: 'ui/time.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      default: <Elapsed since={BEGUN} until="2026-01-01T10:12:00.000Z" />,
      busy: <Elapsed since={JUST_NOW} until={null} />,
      empty: <Elapsed since={BEGUN} until={BEGUN} />,
      long: <Elapsed since={BEGUN} until="2026-03-01T10:12:13.000Z" />,
      hostile: OWN_WORDS,
    },
  },
  {
    of: 'Ago',
    from: 'ui/time.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      default: <Ago at={JUST_NOW} />,
      empty: none('A time is always known.'),
      long: <Ago at={BEGUN} />,
      hostile: OWN_WORDS,
    },
  },
];
