import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { acquireLock } from '@attractor/system';
import { DEFAULT_BOUNDS } from './bounds.ts';
import type {
  RewindPreview,
  RewindResult,
  SnapshotRequest,
  SnapshotResult,
  Undo,
  UndoOptions,
  UndoOutcome,
} from './contract.ts';
import { failureOf, UndoError } from './failure.ts';
import { openLog, type SnapshotRecord } from './log.ts';
import { showPath } from './path-bytes.ts';
import { changeOf, planRewind, type KeptKey } from './plan.ts';
import { prune } from './prune.ts';
import { recover, restore, type Recovery } from './restore.ts';
import { findRoots } from './roots.ts';
import { publicPart, takeSnapshot, type UndoContext } from './snapshot.ts';
import { openStore } from './store.ts';
import { findRedo, findRedoable, findTarget } from './targets.ts';

export type OpenedUndo = {
  readonly undo: Undo;
  /** A rewind that an earlier process left unfinished was just finished, or rolled back. */
  readonly recovered: Recovery;
};

/** Opens (or creates) the snapshots of a workspace. One process at a time: a second one gets `locked`. */
export function openUndo(options: UndoOptions): Promise<UndoOutcome<OpenedUndo>> {
  return asValue(async () => {
    mkdirSync(options.statePath, { recursive: true, mode: 0o700 });
    const statePath = realpathSync(options.statePath);
    chmodSync(statePath, 0o700);
    const lock = acquireLock(path.join(statePath, 'lock'));
    try {
      const roots = await findRoots(realpathSync(options.workspace));
      const context: UndoContext = {
        store: openStore(statePath, roots),
        log: openLog(statePath),
        bounds: { ...DEFAULT_BOUNDS, ...options.bounds },
        settled: false,
      };
      const recovered = await recover(context);
      return { undo: createUndo(context, lock.release), recovered };
    } catch (error) {
      lock.release();
      throw error;
    }
  });
}

const PRUNE_EVERY = 100;

function createUndo(context: UndoContext, release: () => void): Undo {
  const { log, bounds } = context;
  let queue: Promise<unknown> = Promise.resolve();
  let isOpen = true;
  const inTurn = <T>(run: () => Promise<T>): Promise<UndoOutcome<T>> => {
    const outcome = queue.then(() => asValue(() => (isOpen ? run() : Promise.reject(closed()))));
    queue = outcome;
    return outcome;
  };
  return {
    snapshot: (request) =>
      inTurn(async () => {
        const result = await snapshotFor(context, request);
        if (result.isNew && log.records().length % PRUNE_EVERY === 0) await prune(context, bounds);
        return result;
      }),
    list: () => log.records().map(publicPart),
    preview: (target) =>
      inTurn(() =>
        previewOf(context, () => ('redo' in target ? findRedo(log.records()) : findTarget(log.records(), target))),
      ),
    rewind: (target, moment = {}) =>
      inTurn(() => rewindTo(context, { by: 'rewind', ...moment }, () => findTarget(log.records(), target))),
    redo: (moment = {}) => inTurn(() => rewindTo(context, { by: 'redo', ...moment }, () => findRedo(log.records()))),
    redoable: () => {
      const found = findRedoable(log.records());
      return found === undefined ? null : publicPart(found);
    },
    prune: (wanted) => inTurn(() => prune(context, wanted)),
    close: async () => {
      await inTurn(async () => {
        if (log.records().length > bounds.snapshots) await prune(context, bounds);
      });
      await inTurn(() => Promise.resolve(release()));
      isOpen = false;
    },
  };
}

function snapshotFor(context: UndoContext, request: SnapshotRequest): Promise<SnapshotResult> {
  const { turn, seq, label = '', by = 'agent', signal } = request;
  return takeSnapshot(context, { turn, seq, label, by, signal });
}

async function previewOf(context: UndoContext, find: () => SnapshotRecord): Promise<RewindPreview> {
  const { target, plan } = await prepare(context, find);
  return { target: publicPart(target), changes: plan.operations.map(changeOf), kept: plan.kept.map(shownKept) };
}

type Going = { readonly by: 'rewind' | 'redo'; readonly seq?: number };

async function rewindTo(context: UndoContext, going: Going, find: () => SnapshotRecord): Promise<RewindResult> {
  const { target, before, plan } = await prepare(context, find);
  const { result, done, meanwhile } = await restore(context, { ...going, target, before, plan });
  const kept = [...plan.kept, ...meanwhile.map((key): KeptKey => ({ path: key, reason: 'changed_meanwhile' }))];
  return {
    target: publicPart(target),
    before: publicPart(before),
    after: result.snapshot,
    changes: done.map(changeOf),
    kept: kept.map(shownKept),
  };
}

/** The current state is stored first, as the person's: nobody else was at work. */
async function prepare(context: UndoContext, find: () => SnapshotRecord) {
  const target = find();
  const last = context.log.last() ?? target;
  await takeSnapshot(context, { by: 'person', turn: last.turn, seq: last.seq, label: 'before going back' });
  const before = context.log.last() ?? last;
  return { target, before, plan: await planRewind(context, target) };
}

function shownKept({ path: key, reason }: KeptKey) {
  return { path: showPath(key), reason };
}

function closed(): UndoError {
  return new UndoError('closed', 'Undo was closed: open it again.');
}

async function asValue<T>(run: () => Promise<T>): Promise<UndoOutcome<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, error: failureOf(error) };
  }
}
