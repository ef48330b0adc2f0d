type Bar = { readonly name: string; readonly value: number; readonly shown: string };

/** `whole`: what a full bar stands for; absent: the largest of them. */
type BarsProps = { readonly label: string; readonly bars: ReadonlyArray<Bar>; readonly whole?: number };

/** Amounts side by side, as a picture and in words. */
export function Bars({ label, bars, whole }: BarsProps) {
  const most = whole ?? Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  return (
    <ul
      aria-label={label}
      className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-3 text-sm sm:grid-cols-[fit-content(55%)_minmax(4rem,1fr)_auto] sm:gap-y-1.5"
    >
      {bars.map(({ name, value, shown }) => (
        <li key={name} className="col-span-full grid grid-cols-subgrid items-center gap-y-1">
          <span className="truncate" title={name}>
            {name}
          </span>
          <svg aria-hidden className="h-2 w-full rounded-full bg-idle-well max-sm:order-last max-sm:col-span-2">
            {value > 0 ? (
              <rect width={`${Math.max(1, (value / most) * 100)}%`} height="8" rx="4" className="fill-bar" />
            ) : null}
          </svg>
          <span className="text-right tabular-nums">{shown}</span>
        </li>
      ))}
    </ul>
  );
}
