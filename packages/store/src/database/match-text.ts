import { type RawBuilder, sql } from 'kysely';

/** Whether the column contains the text, ignoring the case of a to z; `%` and `_` are literal. */
export function containing(column: string, words: string): RawBuilder<boolean> {
  const pattern = `%${words
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}
