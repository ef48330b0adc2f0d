import { showDate } from '@attractor/api/shown';
import { ticksTo } from './ticks.ts';

type Day = { readonly day: string; readonly value: number; readonly shown: string };

type DayChartProps = {
  readonly label: string;
  readonly days: ReadonlyArray<Day>;
  /** What an amount is called at its line. */
  readonly show: (value: number) => string;
};

const HEIGHT = 160;
/** Where nothing is: the highest line has its amount beside it, half of which stands over it. */
const BASE = HEIGHT + 10;
/** Days without anything are shown too, so that a gap is seen as one. */
const LEAST_DAYS = 14;
/** So many columns of a wide window are as wide as a label. */
const ROOMY_DAYS = 16;

/** A column for each day, over the whole width; each is heard with its day and amount. Of many days the last are seen first. */
export function DayChart({ label, days, show }: DayChartProps) {
  const shown = withGaps(days);
  const isRoomy = shown.length <= ROOMY_DAYS;
  const most = Math.max(...days.map(({ value }) => value), 0);
  const ticks = ticksTo(most);
  const top = ticks.at(-1) ?? 1;
  const highest = days.find(({ value }) => value === most);
  return (
    <>
      {highest === undefined ? null : (
        <p className="mb-3 text-sm text-soft">
          Most on {showDate(highest.day)}: {highest.shown}
        </p>
      )}
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        <Amounts amounts={ticks.map(show)} />
        <div ref={scrollToEnd} className="overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
          <div className="relative min-w-fit sm:pr-2">
            <Lines count={ticks.length} />
            <ul aria-label={label} className="relative flex">
              {shown.map(({ day, value, shown: amount }, at) => (
                <li
                  key={day}
                  aria-label={`${day}: ${amount}`}
                  title={`${day}: ${amount}`}
                  className="group relative min-w-3 flex-1 pb-6"
                >
                  <svg aria-hidden height={BASE} className="mx-auto block w-3/5 max-w-8">
                    <Column height={(value / top) * HEIGHT} />
                  </svg>
                  {/* A label is wider than the column of a phone: it may hang over to the left, where the next one is far. */}
                  <span
                    aria-hidden
                    className={`absolute right-0 bottom-0 text-sm whitespace-nowrap text-soft ${isRoomy ? 'sm:right-1/2 sm:translate-x-1/2' : ''}`}
                  >
                    {(shown.length - 1 - at) % 5 === 0 ? showDate(day) : ''}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        </div>
      </div>
    </>
  );
}

/** From the highest down, each in the middle of its line; they stay where they are while the days are scrolled. */
function Amounts({ amounts }: { readonly amounts: ReadonlyArray<string> }) {
  return (
    <div
      aria-hidden
      className="flex h-[180px] flex-col-reverse justify-between text-right text-sm text-faint tabular-nums"
    >
      {amounts.map((amount) => (
        <span key={amount}>{amount}</span>
      ))}
    </div>
  );
}

function Lines({ count }: { readonly count: number }) {
  return (
    <svg aria-hidden width="100%" height={BASE + 1} className="absolute inset-x-0 top-0">
      {Array.from({ length: count }, (_, at) => (
        <rect
          key={at}
          width="100%"
          height="1"
          y={BASE - Math.round((HEIGHT * at) / (count - 1))}
          className={at === 0 ? 'fill-edge' : 'fill-line'}
        />
      ))}
    </svg>
  );
}

/** Something is never nothing: a small amount is two points high. */
function Column({ height }: { readonly height: number }) {
  if (height === 0) return null;
  const shown = Math.max(2, height);
  return <rect width="100%" y={BASE - shown} height={shown} rx="2" className="fill-bar group-hover:fill-ink" />;
}

function scrollToEnd(chart: HTMLElement | null): void {
  if (chart !== null) chart.scrollLeft = chart.scrollWidth;
}

const DAY_MS = 86_400_000;

/** Every day from the first to the last, at least two weeks of them. */
function withGaps(days: ReadonlyArray<Day>): ReadonlyArray<Day> {
  const last = Date.parse(days.at(-1)?.day ?? '');
  if (Number.isNaN(last)) return days;
  const known = new Map(days.map((day) => [day.day, day]));
  const first = Math.min(Date.parse(days[0]?.day ?? ''), last - (LEAST_DAYS - 1) * DAY_MS);
  return Array.from({ length: Math.round((last - first) / DAY_MS) + 1 }, (_, at) => {
    const day = new Date(first + at * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, value: 0, shown: 'nothing' };
  });
}
