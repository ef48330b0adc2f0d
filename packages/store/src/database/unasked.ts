import { type RawBuilder, sql } from 'kysely';

const MARK = '/* unasked */';

type Write = { readonly modifyEnd: (end: RawBuilder<unknown>) => { readonly execute: () => Promise<unknown> } };

/**
 * A write of which nobody asks how many rows it changed. On PostgreSQL it goes out together with the next statement that is asked, or with
 * the commit, instead of waiting for an answer of its own; if it fails, so does that one.
 */
export async function unasked(write: Write): Promise<void> {
  await write.modifyEnd(sql.raw(MARK)).execute();
}

export function isUnasked(text: string): boolean {
  return text.endsWith(MARK);
}
