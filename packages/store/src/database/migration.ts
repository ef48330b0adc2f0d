/**
 * A step of the schema's history: appended, never changed once released, each run in one transaction. `sql` works on every database;
 * `only` is what one of them has and the other does in another way, run after it; `sqliteRows` converts rows that only an older SQLite file
 * can contain. `convert` makes further SQL, for every database, from rows that it
 * reads after `sql`.
 */
export type Migration = {
  readonly name: string;
  readonly sql: string;
  readonly only?: { readonly sqlite: string; readonly postgres: string };
  readonly sqliteRows?: string;
  readonly convert?: {
    readonly read: string;
    readonly write: (rows: ReadonlyArray<Readonly<Record<string, unknown>>>) => string;
  };
};
