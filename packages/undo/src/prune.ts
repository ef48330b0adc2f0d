import type { PruneBounds, PruneResult } from './contract.ts';
import type { SnapshotRecord } from './log.ts';
import type { UndoContext } from './snapshot.ts';

/**
 * Drops the oldest snapshots until the rest fits, the records first: a record never names something missing. How much space a snapshot uses
 * alone is only known after it is gone, so halves are dropped until the store is small enough.
 */
export async function prune(context: UndoContext, bounds: PruneBounds): Promise<PruneResult> {
  const { log } = context;
  const before = log.records().length;
  const wanted = Math.max(1, bounds.snapshots ?? before);
  if (before > wanted) await keepOnly(context, log.records().slice(-wanted));
  let bytes = await storeBytes(context);
  while (bytes > (bounds.storeBytes ?? Infinity) && log.records().length > 1) {
    const all = log.records();
    await keepOnly(context, all.slice(Math.ceil(all.length / 2)));
    bytes = await storeBytes(context);
  }
  return { dropped: before - log.records().length, kept: log.records().length, storeBytes: bytes };
}

async function keepOnly(context: UndoContext, records: ReadonlyArray<SnapshotRecord>): Promise<void> {
  const { store, log } = context;
  log.keep(records);
  const wanted = new Map(records.map(({ tree }) => [`refs/undo/${tree}`, tree]));
  const present = (await store.git(['for-each-ref', '--format=%(refname)'])).split('\n').filter(Boolean);
  const lines = [
    ...present.filter((name) => !wanted.has(name)).map((name) => `delete ${name}\n`),
    ...[...wanted].map(([name, tree]) => `update ${name} ${tree}\n`),
  ];
  await store.git(['update-ref', '--stdin'], { stdin: lines.join('') });
  await store.git(['repack', '-a', '-d', '-q']);
  await store.git(['prune', '--expire=now']);
}

async function storeBytes(context: UndoContext): Promise<number> {
  const counted = await context.store.git(['count-objects', '-v']);
  const kilobytes = [...counted.matchAll(/^size(?:-pack)?: (\d+)$/gm)].map(([, digits]) => Number(digits));
  return kilobytes.reduce((sum, one) => sum + one, 0) * 1024;
}
