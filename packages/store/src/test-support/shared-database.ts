import { inject } from 'vitest';

/** A new, empty database on the one PostgreSQL server of the run. */
export async function sharedDatabase(): Promise<string> {
  const answer = await fetch(inject('newDatabasePage'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
