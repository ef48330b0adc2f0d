import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { defined } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { addToIndex, removeFromIndex } from './add.ts';
import { applySteps, identityOf, namesIn, takeBack } from './apply.ts';
import type { SnapshotResult } from './contract.ts';
import type { SnapshotRecord } from './log.ts';
import { withModes } from './modes.ts';
import { absolutePath, type PathKey } from './path-bytes.ts';
import type { Operation, Plan } from './plan.ts';
import {
  endRestoreJournal,
  readRestoreJournal,
  writeRestoreJournal,
  type RestoreJournal,
  type RestoreStep,
} from './restore-journal.ts';
import { lookAt, scan } from './scan.ts';
import { currentModes, recordSnapshot, type UndoContext } from './snapshot.ts';
import { stageFiles } from './stage.ts';
import { STAGE_PREFIX } from './store.ts';

export type RestoreRequest = {
  readonly by: 'rewind' | 'redo';
  readonly seq?: number;
  readonly target: SnapshotRecord;
  readonly before: SnapshotRecord;
  readonly plan: Plan;
};

export type RestoreResult = {
  readonly result: SnapshotResult;
  readonly done: ReadonlyArray<Operation>;
  /** Somebody changed these while we worked: they are as that person left them. */
  readonly meanwhile: ReadonlyArray<PathKey>;
};

/** Check again, stage, write the journal, apply, record. If anything fails, every file is as before. */
export async function restore(context: UndoContext, restoring: RestoreRequest): Promise<RestoreResult> {
  const { store } = context;
  const { steady, meanwhile } = await steadyOperations(context, restoring.plan.operations);
  const staged = journalFor(context, restoring);
  writeRestoreJournal(store.statePath, staged);
  try {
    await stageFiles(
      store,
      staged.stage,
      steady.map(({ operation }) => operation),
    );
  } catch (error) {
    dispose(context, staged);
    throw error;
  }
  const steps = steady.map(({ operation, was }, index): RestoreStep => {
    const made = operation.to === null ? null : identityOf(namesIn(staged, index).fresh);
    return { path: operation.path, was, made };
  });
  const journal: RestoreJournal = { ...staged, phase: 'applying', steps };
  const { result, left } = await finishOrTakeBack(context, journal);
  return {
    result,
    done: steady.filter((_, index) => !left.has(index)).map(({ operation }) => operation),
    meanwhile: [...meanwhile, ...steps.filter((_, index) => left.has(index)).map(({ path: key }) => key)],
  };
}

/** What happened to a rewind that a process left unfinished. `lost`: its stage was removed by hand; the files are as they were found. */
export type Recovery = 'finished' | 'taken_back' | 'lost' | null;

export async function recover(context: UndoContext): Promise<Recovery> {
  const journal = readRestoreJournal(context.store.statePath);
  if (journal === null) return null;
  const isNoted = context.log.records().some(({ id }) => id === journal.id);
  if (journal.phase === 'staged' || isNoted || !existsSync(journal.stage)) {
    dispose(context, journal);
    if (isNoted) return 'finished';
    return journal.phase === 'staged' ? 'taken_back' : 'lost';
  }
  try {
    await finishOrTakeBack(context, journal);
    return 'finished';
  } catch (error) {
    if (readRestoreJournal(context.store.statePath) === null) return 'taken_back';
    throw error;
  }
}

/** Somebody may have saved a file since the last snapshot: only files that still match what was stored are touched. */
async function steadyOperations(context: UndoContext, operations: ReadonlyArray<Operation>) {
  const { root } = context.store.roots;
  const seen = operations.map((operation) => ({
    operation,
    was: operation.from === null ? null : identityOf(absolutePath(root, operation.path)),
  }));
  const patience = { timeoutMs: context.bounds.snapshotMs };
  const { candidates } = await scan(context.store, currentModes(context.log), patience);
  const changed = new Set(candidates.map(({ path: key }) => key));
  const isSteady = ({ operation, was }: (typeof seen)[number]): boolean =>
    !changed.has(operation.path) && (operation.from === null) === (was === null);
  const meanwhile = seen.filter((one) => !isSteady(one)).map(({ operation }) => operation.path);
  return { steady: seen.filter(isSteady), meanwhile };
}

function journalFor({ store: { roots } }: UndoContext, { by, seq, target, before }: RestoreRequest): RestoreJournal {
  const id = newId('snp');
  const stage = path.join(roots.root, roots.prefix, `${STAGE_PREFIX}${id}`);
  const label = `${by} to ${target.label === '' ? target.id : target.label}`;
  return {
    v: 1,
    phase: 'staged',
    stage,
    id,
    by,
    turn: target.turn,
    ...defined({ seq }),
    target: target.id,
    before: before.id,
    label,
    steps: [],
  };
}

async function finishOrTakeBack(context: UndoContext, journal: RestoreJournal) {
  const { roots, statePath } = context.store;
  try {
    writeRestoreJournal(statePath, journal);
    const left = await applySteps(roots, journal);
    const result = await noteRestored(context, journal, left);
    dispose(context, journal);
    return { result, left };
  } catch (error) {
    context.settled = false;
    takeBack(roots, journal);
    dispose(context, journal);
    throw error;
  }
}

/** Only the restored paths are checked: other changes meanwhile are left to the next snapshot. */
async function noteRestored(
  context: UndoContext,
  { id, by, turn, seq, label, target, before, steps }: RestoreJournal,
  left: ReadonlySet<number>,
): Promise<SnapshotResult> {
  const { store, log, bounds } = context;
  const done = steps.filter((_, index) => !left.has(index));
  context.settled = false;
  const stored = done.map(({ path: key, was }) => lookAt(store, key, was !== null));
  const failed = await addToIndex(store, stored, { deadline: performance.now() + bounds.snapshotMs });
  await removeFromIndex(
    store,
    failed.map(({ path: key }) => key),
  );
  const files = stored.filter(({ standing }) => standing === 'file');
  const gone = stored.filter(({ standing }) => standing !== 'file').map(({ path: key }) => key);
  const last = log.last();
  const leftOut = [...(last === undefined ? [] : log.leftOutOf(last)), ...failed];
  const modes = withModes(currentModes(log), files, gone);
  return recordSnapshot(context, { id, by, turn, seq, label, target, before }, { stored, leftOut, modes });
}

/** First records that nothing in the stage is needed any more, so that half a stage is never mistaken for half a rewind. */
function dispose(context: UndoContext, journal: RestoreJournal): void {
  const { statePath } = context.store;
  if (journal.phase !== 'staged') {
    try {
      writeRestoreJournal(statePath, { ...journal, phase: 'staged', steps: [] });
    } catch {
      // A full disk: the journal is removed below.
    }
  }
  rmSync(journal.stage, { recursive: true, force: true });
  endRestoreJournal(statePath);
}
