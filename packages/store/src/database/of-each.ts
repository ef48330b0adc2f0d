import { type RawBuilder, sql } from 'kysely';

/**
 * The column of rows that another column finds. An index by this one has to be left alone: of a thousand waiting tasks each would look
 * through all thousand.
 */
export function ofEach(column: string): RawBuilder<string> {
  return sql<string>`coalesce(${sql.ref(column)}, '')`;
}
