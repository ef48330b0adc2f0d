import { newId } from '@attractor/base/id';
import { ABOUT_NOTHING_ELSE, ownerState, ownName, type Store, transactionNow } from '@attractor/store';

/** How long a silent holder keeps its turn. */
const LEASE_MS = 3 * 60_000;

/**
 * The right to supervise something: one holder at a time among all processes. `holds` says whether it is still ours and extends it;
 * `release` gives it back. A dead holder on this machine loses it at once, another one after the lease.
 */
export type Turn = { readonly holds: () => Promise<boolean>; readonly release: () => Promise<void> };

export async function takeTurn(store: Store, name: string): Promise<Turn | null> {
  const owner = JSON.stringify({ ...JSON.parse(ownName()), token: newId('sup') });
  const now = await store.now();
  const taken = await store.transact(async (tx) => {
    const row = await tx.selectFrom('supervision').selectAll().where('name', '=', name).executeTakeFirst();
    if (row !== undefined && !isFree(row, now)) return false;
    const turn = { owner, lease_until: now + LEASE_MS };
    await tx
      .insertInto('supervision')
      .values({ name, ...turn })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(turn))
      .execute();
    return true;
  });
  if (!taken) return null;
  return {
    holds: async () => {
      const kept = await store.transact(
        (tx) =>
          tx
            .updateTable('supervision')
            .set({ lease_until: transactionNow(tx) + LEASE_MS })
            .where('name', '=', name)
            .where('owner', '=', owner)
            .executeTakeFirst(),
        ABOUT_NOTHING_ELSE,
      );
      return kept.numUpdatedRows === 1n;
    },
    release: async () => {
      await store.transact(
        (tx) => tx.deleteFrom('supervision').where('name', '=', name).where('owner', '=', owner).execute(),
        ABOUT_NOTHING_ELSE,
      );
    },
  };
}

/** A lease with an impossibly late end was written before the machine's clock restarted. */
function isFree(row: { readonly owner: string; readonly lease_until: number }, now: number): boolean {
  return row.lease_until < now || row.lease_until > now + 2 * LEASE_MS || ownerState(row.owner) === 'dead';
}
