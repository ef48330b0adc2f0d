import { inject } from 'vitest';

/** A new database on the one PostgreSQL server of the run: empty, or a copy of the one at `like`, which nobody may have open. */
export async function sharedDatabase(like?: string): Promise<string> {
  const page = new URL(inject('newDatabasePage'));
  if (like !== undefined) page.searchParams.set('like', like);
  const answer = await fetch(page);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
