import type { RewindTarget } from './contract.ts';
import { UndoError } from './failure.ts';
import type { SnapshotRecord } from './log.ts';

/** The requested snapshot, or an `UndoError`. */
export function findTarget(records: ReadonlyArray<SnapshotRecord>, target: RewindTarget): SnapshotRecord {
  const found = 'id' in target ? records.find(({ id }) => id === target.id) : newestUpTo(records, target);
  if (found !== undefined) return found;
  throw new UndoError(
    'unknown_target',
    records.length === 0
      ? 'There is no snapshot yet: nothing was changed that could be undone.'
      : `There is no snapshot ${JSON.stringify(target)}: choose one of those that are listed.`,
  );
}

/** What `redo` goes back to: the state before the last rewind that was not redone. */
export function findRedo(records: ReadonlyArray<SnapshotRecord>): SnapshotRecord {
  const before = findRedoable(records)?.before;
  const found = records.find(({ id }) => id === before);
  if (found !== undefined) return found;
  throw new UndoError(
    'nothing_to_redo',
    'There is nothing to redo: nothing was rewound, or the agent has changed files since. The states before are still listed.',
  );
}

/** The last rewind that was not redone. Later work of the agent rules a redo out. */
export function findRedoable(records: ReadonlyArray<SnapshotRecord>): SnapshotRecord | undefined {
  const ways: SnapshotRecord[] = [];
  for (const [index, record] of records.entries()) {
    const { by, before, tree, modes } = record;
    const previous = records[index - 1];
    if (by === 'rewind' && before !== undefined) ways.push(record);
    if (by === 'redo') ways.pop();
    if (by === 'agent' && (tree !== previous?.tree || modes !== previous.modes)) ways.length = 0;
  }
  return ways.at(-1);
}

/** Turns may repeat after a rewind: the newest snapshot of the latest turn that is not too late. */
function newestUpTo(
  records: ReadonlyArray<SnapshotRecord>,
  target: { readonly turn: number } | { readonly seq: number },
): SnapshotRecord | undefined {
  if ('seq' in target) return records.findLast(({ seq }) => seq !== undefined && seq <= target.seq);
  const turn = Math.max(...records.map((record) => record.turn).filter((one) => one <= target.turn));
  return records.findLast((record) => record.turn === turn);
}
