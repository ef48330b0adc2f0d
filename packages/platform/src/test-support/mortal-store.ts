import type { Store, Tx } from '@attractor/store';

/**
 * The life of a worker that ends at a chosen transaction: `before` its commit, so that nothing of it is known, or `after`. From then on
 * nothing that it requested is ever answered, as in a killed process. `jobs` are those that it claimed, with their fence.
 */
export type Life = {
  isDead: boolean;
  /** Transactions until death; null: it lives on. */
  fuse: number | null;
  when: 'before' | 'after';
  readonly died: AbortController;
  readonly jobs: Map<string, number>;
};

export function newLife(): Life {
  return { isDead: false, fuse: null, when: 'before', died: new AbortController(), jobs: new Map() };
}

class Died extends Error {
  override readonly name = 'Died';
}

const NEVER = new Promise<never>(() => undefined);

export function mortal(store: Store, life: Life): Store {
  const die = (): Promise<never> => {
    life.isDead = true;
    life.died.abort('shutdown');
    return NEVER;
  };
  return {
    ...store,
    now: () => (life.isDead ? NEVER : store.now()),
    onChange: (listener, ...which) => store.onChange((by) => (life.isDead ? undefined : listener(by)), ...which),
    transact: async (work, _about, first) => {
      if (life.isDead) return NEVER;
      let isLast = false;
      try {
        const value = await store.transact(
          async (tx) => {
            if (life.isDead) throw new Died();
            const before = await claims(tx);
            const value = await work(tx);
            for (const [id, fence] of await claims(tx)) if (before.get(id) !== fence) life.jobs.set(id, fence);
            isLast = life.fuse === 0;
            if (life.fuse !== null) life.fuse -= 1;
            if (isLast && life.when === 'before') throw new Died();
            return value;
          },
          undefined,
          first,
        );
        return isLast || life.isDead ? await die() : value;
      } catch (error) {
        return error instanceof Died || life.isDead ? die() : Promise.reject(error);
      }
    },
  };
}

async function claims(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.selectFrom('jobs').select(['id', 'fence']).where('state', '=', 'running').execute();
  return new Map(rows.map(({ id, fence }) => [id, fence]));
}

/** Frees what a dead worker held by letting its leases expire now. Effects under way are looked up before they are repeated. */
export async function endLeases(store: Store, { jobs }: Life): Promise<void> {
  await store.transact(async (tx) => {
    for (const [id, fence] of jobs)
      await tx.updateTable('jobs').set({ lease_until: -1 }).where('id', '=', id).where('fence', '=', fence).execute();
    await tx.updateTable('outbox').set({ lease_until: -1 }).where('state', '=', 'running').execute();
  });
}
