import type { Client } from 'pg';
import { schemaText } from './dialect.ts';
import type { Migrator } from './migrate.ts';

const MIGRATION_LOCK = 4_127_000;

/** Changes the schema on one connection; others wait until it is done. */
export function postgresMigrator(client: Client): Migrator {
  return {
    alone: async (work) => {
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      try {
        return await work();
      } finally {
        await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      }
    },
    begin: async () => void (await client.query('begin')),
    commit: async () => void (await client.query('commit')),
    rollback: async () => void (await client.query('rollback')),
    run: async ({ sql, only }) => void (await client.query([schemaText(sql, 'postgres'), only?.postgres].join(';\n'))),
    convert: async ({ read, write }) => {
      const { rows } = await client.query<Readonly<Record<string, unknown>>>(read);
      await client.query(write(rows));
    },
    names: async () => {
      const { rows } = await client.query<{ name: string }>('select name from migrations order by name');
      return rows.map(({ name }) => name);
    },
    record: async (name) => void (await client.query('insert into migrations values ($1, now()::text)', [name])),
  };
}
