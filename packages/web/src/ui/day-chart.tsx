type Day = { readonly day: string; readonly value: number; readonly shown: string };

const HEIGHT = 120;
const STEP = 28;

/** A column for each day; each is heard with its day and amount. */
export function DayChart({ label, days }: { readonly label: string; readonly days: ReadonlyArray<Day> }) {
  const most = Math.max(...days.map(({ value }) => value), Number.MIN_VALUE);
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
      <svg width={Math.max(days.length * STEP, 200)} height={HEIGHT + 24} role="list" aria-label={label}>
        {days.map(({ day, value, shown }, at) => {
          const height = Math.max(2, (value / most) * HEIGHT);
          return (
            <g key={day} role="listitem" aria-label={`${day}: ${shown}`} transform={`translate(${at * STEP} 0)`}>
              <title>{`${day}: ${shown}`}</title>
              <rect x="4" y={HEIGHT - height} width={STEP - 8} height={height} rx="2" className="fill-edge" />
              {at % 5 === 0 ? (
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
