import { type RawBuilder, sql } from 'kysely';

/** The column holds the words, in any case of the letters a to z; `%` and `_` in them stand for themselves. */
export function containing(column: string, words: string): RawBuilder<boolean> {
  const pattern = `%${words.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}
