/** The tables that a commit changed; null: it is not known which, so it may be any. */
export type WrittenTables = ReadonlySet<string> | null;

/**
 * Notes what the statements of one transaction change, by their text. Whatever is not plainly an insert or an update of one table counts as
 * a change of all: a deletion takes rows of other tables along.
 */
export function createWriteNotes() {
  let tables = new Set<string>();
  let isAny = false;
  return {
    begin: (): void => {
      tables = new Set();
      isAny = false;
    },
    note: (text: string): void => {
      if (CHANGES_NOTHING.test(text)) return;
      const table = WRITES_ONE.exec(text)?.[1];
      if (table === undefined) isAny = true;
      else tables.add(table);
    },
    written: (): WrittenTables => (isAny ? null : tables),
  };
}

export type WriteNotes = ReturnType<typeof createWriteNotes>;

const CHANGES_NOTHING = /^(?:select|begin|commit|rollback|savepoint|release)\b/i;
const WRITES_ONE = /^(?:insert into|update) "(\w+)"/i;

/** Stands before the name of who tells, among the names of tables. */
const BY = '@';

/** For the message to other processes; empty: any table. */
export function tablesText(written: WrittenTables, by: string): string {
  return written === null ? '' : [...written, `${BY}${by}`].join(',');
}

export function readTables(text: string): WrittenTables {
  return text === '' ? null : new Set(text.split(','));
}

/** Whether this is what somebody told themselves: they know it already. */
export function isFrom(text: string, name: string): boolean {
  return text.endsWith(`${BY}${name}`);
}

export function bothTables(one: WrittenTables, other: WrittenTables): WrittenTables {
  return one === null || other === null ? null : one.union(other);
}
