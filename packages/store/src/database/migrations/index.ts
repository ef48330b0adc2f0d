import { FIRST } from './001-first.ts';
import { MODEL } from './002-model.ts';
import { QUEUE } from './003-queue.ts';
import { SUPERVISE } from './004-supervise.ts';
import { SPEND } from './005-spend.ts';
import { NOTIFY } from './006-notify.ts';
import { SCM } from './007-scm.ts';
import { WORKERS } from './008-workers.ts';
import { MESSAGES } from './009-messages.ts';
import { KEYS } from './010-keys.ts';
import { OUTCOMES } from './011-outcomes.ts';

/**
 * A step of the schema's history: appended, never changed once released, each run in one transaction. `sql` works on every database;
 * `sqliteRows` converts rows that only an older SQLite file can contain. `convert` makes further SQL, for every database, from rows that it
 * reads after `sql`.
 */
export type Migration = {
  readonly name: string;
  readonly sql: string;
  readonly sqliteRows?: string;
  readonly convert?: {
    readonly read: string;
    readonly write: (rows: ReadonlyArray<Readonly<Record<string, unknown>>>) => string;
  };
};

export const MIGRATIONS: ReadonlyArray<Migration> = [
  FIRST,
  MODEL,
  QUEUE,
  SUPERVISE,
  SPEND,
  NOTIFY,
  SCM,
  WORKERS,
  MESSAGES,
  KEYS,
  OUTCOMES,
];
