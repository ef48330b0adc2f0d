import { defined } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { addToIndex, removeFromIndex } from './add.ts';
import type { ChangedFile, Snapshot, SnapshotAuthor, SnapshotId, SnapshotResult, UndoBounds } from './contract.ts';
import { toLeave, toStore, type SortedCandidates } from './bounds.ts';
import type { LeftOutKey, SnapshotLog, SnapshotRecord } from './log.ts';
import { usualModes, USUAL_MODES, withModes, type Modes } from './modes.ts';
import { parentOf, showPath } from './path-bytes.ts';
import { scan, specialFilesIn, type Candidate, type Scan } from './scan.ts';
import type { Store } from './store.ts';

/**
 * What every operation works on. `settled`: the index matches the last record's tree; false from before it is touched until that is
 * recorded.
 */
export type UndoContext = {
  readonly store: Store;
  readonly log: SnapshotLog;
  readonly bounds: UndoBounds;
  settled: boolean;
};

export type TakeOptions = {
  /** Absent: a new one. */
  readonly id?: SnapshotId;
  readonly by: SnapshotAuthor;
  readonly turn: number;
  readonly seq?: number | undefined;
  readonly label: string;
  readonly target?: SnapshotId;
  readonly before?: SnapshotId;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Scan, apply the bounds, store, write the tree, record it. Costs one git process if nothing changed. Dying anywhere in between loses the
 * snapshot, never the store: the next one compares with the files again.
 */
export async function takeSnapshot(context: UndoContext, options: TakeOptions): Promise<SnapshotResult> {
  const { store, log, bounds } = context;
  const deadline = performance.now() + bounds.snapshotMs;
  const modes = currentModes(log);
  const patience = { timeoutMs: bounds.snapshotMs, ...defined({ signal: options.signal }) };
  const found = await scan(store, modes, patience);
  const sorted = toStore(found.candidates, bounds);
  const touchesIndex = sorted.stored.length > 0 || sorted.left.some(({ candidate }) => candidate.tracked);
  if (touchesIndex) context.settled = false;
  const failed = await addToIndex(store, sorted.stored, { deadline, signal: options.signal });
  const left = new Set(failed.map(({ path }) => path));
  const dropped = [
    ...sorted.left.map(({ candidate }) => candidate),
    ...sorted.stored.filter(({ path }) => left.has(path)),
  ];
  await removeFromIndex(
    store,
    dropped.filter(({ tracked }) => tracked).map(({ path }) => path),
  );

  const stored = sorted.stored.filter(({ path }) => !left.has(path));
  const leftOut = allLeftOut(context, { found, sorted, failed });
  return recordSnapshot(context, options, { stored, leftOut, modes: modesAfter(log, modes, { stored, dropped }) });
}

type Stored = {
  readonly stored: ReadonlyArray<Candidate>;
  readonly leftOut: ReadonlyArray<LeftOutKey>;
  readonly modes: Modes;
};

/** A record if something differs from the last one, and one per turn in any case, so that each turn can be found again. */
export async function recordSnapshot(
  context: UndoContext,
  options: TakeOptions,
  seen: Stored,
): Promise<SnapshotResult> {
  const { store, log } = context;
  const last = log.last();
  const known = last !== undefined && context.settled;
  const tree = known ? last.tree : (await store.git(['write-tree'])).trim();
  const modes = log.storeModes(seen.modes);
  const without = log.storeLeftOut(seen.leftOut);
  const changes = seen.stored.map(changeOf);
  const leftOut = seen.leftOut.map((one) => ({ ...one, path: showPath(one.path) }));
  const same = last?.tree === tree && last.modes === modes && last.without === without;
  if (last !== undefined && same && last.turn === options.turn && options.target === undefined) {
    context.settled = true;
    return { snapshot: publicPart(last), isNew: false, changes: [], leftOut };
  }
  const record = recordOf(options, { tree, modes, without, changed: changes.length, leftOut: leftOut.length });
  log.append(record);
  context.settled = true;
  return { snapshot: publicPart(record), isNew: true, changes, leftOut };
}

export function publicPart(record: SnapshotRecord): Snapshot {
  const { v: _v, tree: _tree, modes: _modes, without: _without, ...snapshot } = record;
  return snapshot;
}

export function currentModes(log: SnapshotLog): Modes {
  const last = log.last();
  return last === undefined ? USUAL_MODES : log.modesOf(last);
}

type Numbers = Pick<SnapshotRecord, 'tree' | 'modes' | 'without' | 'changed' | 'leftOut'>;

function recordOf(options: TakeOptions, numbers: Numbers): SnapshotRecord {
  const { id = newId('snp'), by, turn, seq, label, target, before } = options;
  return {
    v: 1,
    id,
    at: new Date().toISOString(),
    by,
    turn,
    ...defined({ seq }),
    label,
    ...numbers,
    ...defined({ target, before }),
  };
}

function modesAfter(
  log: SnapshotLog,
  modes: Modes,
  { stored, dropped }: { readonly stored: ReadonlyArray<Candidate>; readonly dropped: ReadonlyArray<Candidate> },
): Modes {
  const files = stored.filter(({ standing }) => standing === 'file');
  const gone = [...dropped, ...stored.filter(({ standing }) => standing !== 'file')].map(({ path }) => path);
  return withModes(log.last() === undefined ? usualModes(files) : modes, files, gone);
}

type Judged = { readonly found: Scan; readonly sorted: SortedCandidates; readonly failed: ReadonlyArray<LeftOutKey> };

function allLeftOut({ store, log }: UndoContext, { found, sorted, failed }: Judged): ReadonlyArray<LeftOutKey> {
  const last = log.last();
  const before = last === undefined ? [] : log.leftOutOf(last).filter(({ reason }) => reason === 'special_file');
  const folders = new Set([...found.candidates, ...before].map(({ path }) => parentOf(path)));
  const all = new Map<string, LeftOutKey>();
  const add = (one: LeftOutKey): void => void all.set(one.path, one);
  for (const path of found.nested) add({ path, reason: 'nested_repository' });
  for (const path of specialFilesIn(store, folders)) add({ path, reason: 'special_file' });
  for (const one of [...toLeave(sorted), ...failed]) add(one);
  return [...all.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function changeOf({ path, standing, tracked }: Candidate): ChangedFile {
  const change = standing === 'gone' ? 'deleted' : tracked ? 'modified' : 'added';
  return { path: showPath(path), change };
}
