import { showDate } from './amounts.ts';

type Day = { readonly day: string; readonly value: number; readonly shown: string };

const HEIGHT = 120;
/** Days without anything are shown too, so that a gap is seen as one. */
const LEAST_DAYS = 14;
/** So many columns of a wide window are as wide as a label. */
const ROOMY_DAYS = 16;

/** A column for each day, over the whole width; each is heard with its day and amount. Of many days the last are seen first. */
export function DayChart({ label, days }: { readonly label: string; readonly days: ReadonlyArray<Day> }) {
  const shown = withGaps(days);
  const isRoomy = shown.length <= ROOMY_DAYS;
  const most = Math.max(...days.map(({ value }) => value), Number.MIN_VALUE);
  const highest = days.find(({ value }) => value === most);
  return (
    <>
      {highest === undefined ? null : (
        <p className="mb-2 text-sm text-soft">
          At most {highest.shown}, on {showDate(highest.day)}
        </p>
      )}
      <div ref={scrollToEnd} className="overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
        <ul aria-label={label} className="flex justify-between">
          {shown.map(({ day, value, shown: amount }, at) => (
            <li
              key={day}
              aria-label={`${day}: ${amount}`}
              title={`${day}: ${amount}`}
              className="max-w-16 min-w-3 flex-1"
            >
              <svg aria-hidden width="100%" height={HEIGHT} className="px-[12%]">
                <Column height={Math.max(2, (value / most) * HEIGHT)} isEmpty={value === 0} />
              </svg>
              {/* A label is wider than the column of a phone: it may hang over to the left, where the next one is far. */}
              <span
                aria-hidden
                className={`flex h-6 items-end justify-end text-sm whitespace-nowrap text-soft ${isRoomy ? 'sm:justify-center' : ''}`}
              >
                {(shown.length - 1 - at) % 5 === 0 ? showDate(day) : ''}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function Column({ height, isEmpty }: { readonly height: number; readonly isEmpty: boolean }) {
  return (
    <rect width="100%" y={HEIGHT - height} height={height} rx="2" className={isEmpty ? 'fill-line' : 'fill-bar'} />
  );
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
