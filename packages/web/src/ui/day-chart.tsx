type Day = { readonly day: string; readonly value: number; readonly shown: string };

const HEIGHT = 120;
const STEP = 28;
/** Days without anything are shown too, so that a gap is seen as one. */
const LEAST_DAYS = 14;

/** A column for each day; each is heard with its day and amount. */
export function DayChart({ label, days }: { readonly label: string; readonly days: ReadonlyArray<Day> }) {
  const shown = withGaps(days);
  const most = Math.max(...days.map(({ value }) => value), Number.MIN_VALUE);
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
      <svg width={shown.length * STEP} height={HEIGHT + 24} role="list" aria-label={label}>
        {shown.map(({ day, value, shown: amount }, at) => {
          const height = Math.max(2, (value / most) * HEIGHT);
          return (
            <g key={day} role="listitem" aria-label={`${day}: ${amount}`} transform={`translate(${at * STEP} 0)`}>
              <title>{`${day}: ${amount}`}</title>
              <rect
                x="4"
                y={HEIGHT - height}
                width={STEP - 8}
                height={height}
                rx="2"
                className={value === 0 ? 'fill-line' : 'fill-bar'}
              />
              {(shown.length - 1 - at) % 5 === 0 ? (
                <text x={STEP / 2} y={HEIGHT + 18} textAnchor="middle" className="fill-soft text-sm">
                  {day.slice(5)}
                </text>
              ) : null}
            </g>
          );
        })}
      </svg>
    </div>
  );
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
