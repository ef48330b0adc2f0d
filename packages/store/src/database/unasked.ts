import { type RawBuilder, sql } from 'kysely';
import type { Tx } from './store.ts';

const MARK = '/* unasked */';

type Write<Ended> = { readonly modifyEnd: (end: RawBuilder<unknown>) => Ended };

/**
 * A write of which nobody asks how many rows it changed. On PostgreSQL it goes out together with the next statement that is asked, or with
 * the commit, instead of waiting for an answer of its own; if it fails, so does that one.
 */
export async function unasked(write: Write<{ readonly execute: () => Promise<unknown> }>): Promise<void> {
  await asUnasked(write).execute();
}

/** The same for a write that is executed later. */
export function asUnasked<Ended>(write: Write<Ended>): Ended {
  return write.modifyEnd(sql.raw(MARK));
}

export function isUnasked(text: string): boolean {
  return text.endsWith(MARK);
}

const silent = new WeakSet<Tx>();

export function setSilent(tx: Tx): void {
  silent.add(tx);
}

/** Nothing is answered in this transaction: to ask makes it begin again as any other. */
export function isSilent(tx: Tx): boolean {
  return silent.has(tx);
}
