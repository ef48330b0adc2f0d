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

/** In a narrow window the first cell is the row's title, and the others have their names before them. */
const CELL =
  "sm:h-10 sm:px-3 sm:py-2 sm:first:pl-4 sm:last:pr-4 max-sm:first:w-full max-sm:first:font-medium max-sm:empty:hidden max-sm:not-first:before:mr-1.5 max-sm:not-first:before:text-soft max-sm:not-first:before:content-[attr(data-name)_/_'']";

/** Figures in rows; where the window is narrow each row is a line of its own with what its figures are called. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div
      className="overflow-x-auto rounded-lg border border-line bg-panel"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table className="w-full border-collapse text-sm max-sm:block">
        <caption className="sr-only">{label}</caption>
        <thead className="max-sm:sr-only">
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
        <tbody className="max-sm:block">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className="border-b border-line last:border-b-0 max-sm:flex max-sm:flex-wrap max-sm:gap-x-4 max-sm:px-4 max-sm:py-2"
            >
              {columns.map(({ name, isNumber, isLong, show }) => (
                <td
                  key={name}
                  data-name={name}
                  className={`${CELL} ${isNumber === true ? 'tabular-nums sm:text-right' : `break-words sm:max-w-96 sm:first:min-w-44 md:min-w-28 ${isLong === true ? 'sm:min-w-56' : 'sm:min-w-28'}`}`}
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
