import fc from 'fast-check';
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { describe, expect, it } from 'vitest';
import { rowsInOne } from './rows-in-one.ts';

type Tables = {
  readonly events: { readonly id: string; readonly at: number };
  readonly jobs: { readonly id: string; readonly at: number };
};

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (it) => new PostgresIntrospector(it),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const insert = (id: string, at = 0): CompiledQuery => db.insertInto('events').values({ id, at }).compile();
const insertOnce = (id: string): CompiledQuery =>
  db
    .insertInto('jobs')
    .values({ id, at: 1 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .compile();
const update = (id: string): CompiledQuery => db.updateTable('jobs').set({ at: 2 }).where('id', '=', id).compile();

const shown = (queries: ReadonlyArray<CompiledQuery>) => queries.map(({ sql, parameters }) => [sql, ...parameters]);

describe('what transactions write in one moment', () => {
  it('is inserted by one statement where it is alike, also within one of them', () => {
    expect(shown(rowsInOne([[insert('a'), insert('b')], [insert('c')], [insert('d')], [insert('e')]]))).toEqual([
      [
        'insert into "events" ("id", "at") values ($1, $2), ($3, $4), ($5, $6), ($7, $8)',
        'a',
        0,
        'b',
        0,
        'c',
        0,
        'd',
        0,
      ],
      ['insert into "events" ("id", "at") values ($1, $2)', 'e', 0],
    ]);
  });

  it('stays what it is if it is no insert of one row, changes what is there, or has values beside the row', () => {
    const many = db
      .insertInto('events')
      .values([
        { id: 'a', at: 1 },
        { id: 'b', at: 2 },
      ])
      .compile();
    const changing = db
      .insertInto('jobs')
      .values({ id: 'a', at: 1 })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ at: 2 }))
      .compile();
    const beside = db
      .insertInto('jobs')
      .values({ id: 'a', at: 1 })
      .onConflict((conflict) => conflict.column('id').where('at', '=', 3).doNothing())
      .compile();
    for (const query of [many, changing, beside, update('a')])
      expect(shown(rowsInOne(Array.from({ length: 4 }, () => [query])))).toEqual(
        Array.from({ length: 4 }, () => [query.sql, ...query.parameters]),
      );
  });

  it('is all written, each transaction in its own order', () => {
    const write = fc.oneof(
      fc.constant((id: string) => insert(id)),
      fc.constant((id: string) => insertOnce(id)),
      fc.constant((id: string) => update(id)),
    );
    fc.assert(
      fc.property(fc.array(fc.array(write, { maxLength: 9 }), { maxLength: 40 }), (given) => {
        const all = given.map((writes, number) => writes.map((make, at) => make(`${number}.${at}`)));
        const written = rowsInOne(all).flatMap(({ parameters }) =>
          parameters.filter((parameter) => typeof parameter === 'string'),
        );
        expect(written).toHaveLength(all.flat().length);
        for (const [number, writes] of all.entries())
          expect(written.filter((id) => id.startsWith(`${number}.`))).toEqual(writes.map((_, at) => `${number}.${at}`));
      }),
    );
  });
});
