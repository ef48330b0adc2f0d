import type { DatabaseSync } from 'node:sqlite';
import { done, refuse } from '../refusal.ts';
import type { Result } from '../workflow-contract.ts';
import type { Migration } from './migrations/index.ts';

/**
 * Brings the schema up to date. Each migration is one immediate transaction that looks again what is applied,
 * so that two processes may start at once. A database of a newer version is refused and left as it is.
 */
export function migrate(db: DatabaseSync, migrations: ReadonlyArray<Migration>): Result<ReadonlyArray<string>> {
  const ran: string[] = [];
  const known = new Set(migrations.map((migration) => migration.name));
  db.exec('create table if not exists migrations (name text primary key, at text not null) strict');
  const newer = appliedNames(db).filter((name) => !known.has(name));
  if (newer.length > 0) {
    return refuse(
      'database',
      `The database was written by a newer version of Attractor (${newer.join(', ')}). Update Attractor, or set ATTRACTOR_HOME to another folder.`,
    );
  }
  for (const migration of migrations) if (apply(db, migration)) ran.push(migration.name);
  return done(ran);
}

function apply(db: DatabaseSync, migration: Migration): boolean {
  db.exec('begin immediate');
  try {
    const pending = !appliedNames(db).includes(migration.name);
    if (pending) {
      db.exec(migration.sql);
      db.prepare('insert into migrations (name, at) values (?, ?)').run(migration.name, new Date().toISOString());
    }
    db.exec('commit');
    return pending;
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}

function appliedNames(db: DatabaseSync): ReadonlyArray<string> {
  return db
    .prepare('select name from migrations order by name')
    .all()
    .map((row) => String(row['name']));
}
