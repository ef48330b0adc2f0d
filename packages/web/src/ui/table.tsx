import type { ReactNode } from 'react';

export type TableColumn<Row> = {
  readonly name: string;
  readonly isNumber?: boolean;
  /** Whole sentences need some room. */
  readonly isLong?: boolean;
  readonly show: (row: Row) => ReactNode;
};

type TableProps<Row> = {
  readonly label: string;
  readonly columns: ReadonlyArray<TableColumn<Row>>;
  readonly rows: ReadonlyArray<Row>;
  readonly keyOf: (row: Row) => string;
};

/** In a narrow window the first cell is the row's title, and the others have their names before them; whole sentences need more room. */
const FIGURES = {
  table: 'max-sm:block',
  head: 'max-sm:sr-only',
  body: 'max-sm:block',
  row: 'max-sm:flex max-sm:flex-wrap max-sm:gap-x-4 max-sm:px-4 max-sm:py-2',
  cell: "sm:h-10 sm:px-3 sm:py-2 sm:first:pl-4 sm:last:pr-4 max-sm:first:w-full max-sm:first:font-medium max-sm:empty:hidden max-sm:has-[button]:w-full max-sm:has-[button]:pt-1 max-sm:not-first:not-has-[button]:before:mr-1.5 max-sm:not-first:not-has-[button]:before:text-soft max-sm:not-first:not-has-[button]:before:content-[attr(data-name)_/_'']",
  number: 'tabular-nums sm:text-right',
  words: 'break-words sm:max-w-96 sm:min-w-24 sm:first:min-w-44 sm:last:min-w-0',
} as const;
/** More columns than a tablet is wide. */
const MANY = 7;
const SENTENCES = {
  table: 'max-xl:block',
  head: 'max-xl:sr-only',
  body: 'max-xl:block',
  row: 'max-xl:flex max-xl:flex-wrap max-xl:gap-x-4 max-xl:px-4 max-xl:py-2',
  cell: "xl:h-10 xl:px-3 xl:py-2 xl:first:pl-4 xl:last:pr-4 max-xl:first:w-full max-xl:first:font-medium max-xl:empty:hidden max-xl:not-first:before:mr-1.5 max-xl:not-first:before:text-soft max-xl:not-first:before:content-[attr(data-name)_/_'']",
  number: 'tabular-nums xl:text-right',
  words: 'break-words xl:max-w-96 xl:min-w-28 xl:first:min-w-44',
} as const;

/** Figures in rows; where the window is narrow each row is a line of its own with what its figures are called. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  const look = columns.length > MANY || columns.some(({ isLong }) => isLong === true) ? SENTENCES : FIGURES;
  return (
    <div
      className="overflow-x-auto rounded-lg border border-line bg-panel"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table className={`w-full border-collapse text-sm ${look.table}`}>
        <caption className="sr-only">{label}</caption>
        <thead className={look.head}>
          <tr className="border-b border-line text-soft">
            {columns.map(({ name, isNumber }) => (
              <th
                key={name}
                scope="col"
                className={`h-9 px-3 font-medium first:pl-4 last:pr-4 whitespace-nowrap ${isNumber === true ? 'text-right' : 'text-left'}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={look.body}>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={`border-b border-line last:border-b-0 ${look.row}`}>
              {columns.map(({ name, isNumber, show }) => (
                <td
                  key={name}
                  data-name={name}
                  className={`${look.cell} ${isNumber === true ? look.number : look.words}`}
                >
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
