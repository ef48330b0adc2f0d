import { done } from '@attractor/base';
import { refuse, type Result } from '../types/refusal.ts';
import { refuseNewer } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { connectionConfig, connectWhenStarted, NO_ADDRESS } from './postgres.ts';
import { explainPostgres, postgresFailure, shownAddress } from './postgres-failure.ts';

const LOOK = `select current_setting('server_version') as version, current_setting('transaction_read_only') as locked,
  to_regclass('migrations') is not null as made`;

/** Says what is at an address, or why a server or a worker could not use it. Nothing is changed there. */
export async function lookAtPostgres(databaseUrl: string): Promise<Result<string>> {
  const config = connectionConfig({ databaseUrl });
  if (config === null) return NO_ADDRESS;
  try {
    const client = await connectWhenStarted(config);
    try {
      const { rows } = await client.query<{ version: string; locked: string; made: boolean }>(LOOK);
      const { version = '', locked = 'off', made = false } = rows[0] ?? {};
      if (locked === 'on') return refuse('database', `${shownAddress(databaseUrl)} takes no changes. ${READ_ONLY}`);
      const names = made ? (await client.query<{ name: string }>('select name from migrations')).rows : [];
      const applied = names.map(({ name }) => name);
      const newer = refuseNewer(applied, MIGRATIONS);
      if (newer !== null) return newer;
      const isCurrent = MIGRATIONS.every(({ name }) => applied.includes(name));
      return done(`${shownAddress(databaseUrl)}, PostgreSQL ${version}${isCurrent ? '' : PENDING}`);
    } finally {
      await client.end().catch(() => undefined);
    }
  } catch (error) {
    if (postgresFailure(error) === null) throw error;
    return refuse('database', explainPostgres(databaseUrl, error));
  }
}

const READ_ONLY = 'Name the server that may be written to, or allow writing again.';
const PENDING = ' (the first command that uses it changes its tables)';
