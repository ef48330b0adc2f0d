import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import fc from 'fast-check';
import { TABLES } from '../database/schema.ts';

/** Building blocks of rows; each is used again and again. */
export type SampleValues = {
  readonly rows: number;
  readonly texts: ReadonlyArray<string>;
  readonly numbers: ReadonlyArray<number>;
  readonly reals: ReadonlyArray<number>;
  readonly gaps: ReadonlyArray<boolean>;
};

const words = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\0', ''));

export const stuff: fc.Arbitrary<SampleValues> = fc.record({
  rows: fc.integer({ min: 1, max: 8 }),
  texts: fc.array(words, { minLength: 1, maxLength: 30 }),
  numbers: fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 20 }),
  reals: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 5 }),
  gaps: fc.array(fc.boolean(), { minLength: 1, maxLength: 13 }),
});

/**
 * Random rows in every table of the SQLite file, derived from the file's own columns: a table that is added later is filled too. Each row
 * references existing rows.
 */
export function fillTables(db: DatabaseSync, given: SampleValues): void {
  const made = new Map<string, ReadonlyArray<Row>>();
  let drawn = 0;
  const draw = <Item>(from: ReadonlyArray<Item>): Item | undefined => from[drawn++ % from.length];
  db.exec('begin');
  for (const table of TABLES) {
    const columns = columnsOf(db, table);
    if (columns.length === 0) continue;
    const put = inserting(db, table, columns);
    const keys = keysOf(db, table);
    const rows: Row[] = [];
    for (let index = 0; index < given.rows; index += 1) {
      const free = (column: Column): SQLInputValue => {
        const fixed = AS_IT_IS_READ[column.name];
        if (fixed !== undefined) return fixed;
        if (column.notnull === 0 && draw(given.gaps) === true) return null;
        if (column.type === 'TEXT') return `${draw(given.texts) ?? ''}${table} ${index}`;
        if (column.type === 'REAL') return draw(given.reals) ?? 0;
        return column.pk === 1 || column.name === 'seq' ? index * 3 + 1 : (draw(given.numbers) ?? 0);
      };
      const values = Object.fromEntries(columns.map((column) => [column.name, free(column)]));
      const row = { ...values, ...pointers(keys, { table, index, made, rows }) };
      put(row);
      rows.push(row);
    }
    made.set(table, rows);
  }
  db.exec('commit');
}

type Row = Readonly<Record<string, SQLInputValue>>;
type Column = { readonly name: string; readonly type: string; readonly notnull: number; readonly pk: number };

/** Columns that later versions of the schema read. */
const AS_IT_IS_READ: Readonly<Record<string, string>> = {
  tags: '["a","b"]',
  actor: '{"type":"user","name":"Ada"}',
  token_usage: '{"inputTokens":5,"outputTokens":6,"totalCost":0.25}',
  started_at: '2026-03-01T10:00:00.000Z',
};

function columnsOf(db: DatabaseSync, table: string): ReadonlyArray<Column> {
  return db
    .prepare(`pragma table_info(${table})`)
    .all()
    .map(({ name, type, notnull, pk }) => ({
      name: String(name),
      type: String(type),
      notnull: Number(notnull),
      pk: Number(pk),
    }));
}

type Key = { readonly table: string; readonly from: string; readonly to: string };

function keysOf(db: DatabaseSync, name: string): ReadonlyArray<Key> {
  const rows = db.prepare(`pragma foreign_key_list(${name})`).all();
  return rows.map(({ table, from, to }) => ({ table: String(table), from: String(from), to: String(to) }));
}

type Place = {
  readonly table: string;
  readonly index: number;
  readonly made: ReadonlyMap<string, ReadonlyArray<Row>>;
  readonly rows: ReadonlyArray<Row>;
};

/** The n-th row references the n-th one there; within its own table only the first, which references none. */
function pointers(keys: ReadonlyArray<Key>, { table, index, made, rows }: Place): Row {
  const found: Record<string, SQLInputValue> = {};
  for (const key of keys) {
    const target = key.table === table ? rows[0] : made.get(key.table)?.[index];
    found[key.from] = target?.[key.to] ?? null;
  }
  return found;
}

function inserting(db: DatabaseSync, table: string, columns: ReadonlyArray<Column>): (row: Row) => void {
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const statement = db.prepare(`insert into ${table} (${names}) values (${columns.map(() => '?').join(', ')})`);
  return (row) => void statement.run(...columns.map(({ name }) => row[name] ?? null));
}
