import type { ReactNode } from 'react';

export type TableColumn<Row> = {
  readonly name: string;
  readonly isNumber?: boolean;
  /** Whole sentences: on a phone they would make every row tall. */
  readonly isLong?: boolean;
  readonly show: (row: Row) => ReactNode;
};

type TableProps<Row> = {
  readonly label: string;
  readonly columns: ReadonlyArray<TableColumn<Row>>;
  readonly rows: ReadonlyArray<Row>;
  readonly keyOf: (row: Row) => string;
};

/** Figures in rows; it scrolls by itself where the window is narrow. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div
      className="overflow-x-auto rounded-lg border border-line bg-panel"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
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
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-b-0">
              {columns.map(({ name, isNumber, isLong, show }) => (
                <td
                  key={name}
                  className={`h-10 px-3 py-2 first:pl-4 last:pr-4 ${isNumber === true ? 'text-right tabular-nums' : `max-w-96 break-words first:min-w-44 md:min-w-28 ${isLong === true ? 'min-w-56' : 'min-w-28'}`}`}
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
