import { linkSync, lstatSync, renameSync, unlinkSync, type Stats } from 'node:fs';
import { environmentError, EnvironmentError } from '@attractor/system';

import { versionOf } from './file-version.ts';
import { at, duplicate, type HeldEntry } from './stage.ts';

/** One file of a change, ready to be put in place. `done` and `backedUp` record its progress, for the rollback. */
export type StagedStep = {
  readonly kind: 'put' | 'remove';
  readonly asked: string;
  /** The version that must exist; null: nothing may exist; undefined: anything. */
  readonly expected: string | null | undefined;
  readonly spot: HeldEntry;
  readonly source: HeldEntry | undefined;
  readonly temporary: string | null;
  readonly backup: string;
  before: Stats | null;
  after: string | null;
  done: boolean;
  backedUp: boolean;
};

/**
 * Puts the steps in place, one after the other and without a pause between check and action. A single step needs no backup: it is atomic.
 */
export function commitSteps(steps: ReadonlyArray<StagedStep>): void {
  for (const step of steps) {
    try {
      refuseIfChanged(step);
      if (step.kind === 'remove') removeFile(step, steps.length > 1);
      else putFile(step, steps.length > 1);
      step.done = true;
    } catch (error) {
      throw environmentError(error, step.asked);
    }
  }
}

/** The last first. What can't be restored is named, with the place of its old content. */
export function rollBack(steps: ReadonlyArray<StagedStep>): void {
  const lost: string[] = [];
  for (const step of steps.toReversed()) {
    try {
      restore(step);
    } catch {
      lost.push(`${step.asked} (its old content is in ${step.backup} beside it)`);
    }
    if (step.temporary !== null) removeIfThere(step.temporary);
  }
  if (lost.length > 0) {
    throw new EnvironmentError({
      code: 'failed',
      message: `The change failed, and these files could not be restored: ${lost.join(', ')}.`,
    });
  }
}

function putFile(step: StagedStep, backUp: boolean): void {
  const target = at(step.spot);
  const temporary = step.temporary ?? '';
  if (step.before === null) {
    putNew(temporary, target);
    return;
  }
  if (backUp) {
    duplicate(target, backupOf(step));
    step.backedUp = true;
  }
  renameSync(temporary, target);
}

/** A link never replaces what somebody put there a moment ago; a rename would. */
function putNew(temporary: string, target: string): void {
  try {
    linkSync(temporary, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error;
    renameSync(temporary, target);
    return;
  }
  removeIfThere(temporary);
}

function removeFile(step: StagedStep, backUp: boolean): void {
  if (!backUp) {
    unlinkSync(at(step.spot));
    return;
  }
  renameSync(at(step.spot), backupOf(step));
  step.backedUp = true;
}

function restore(step: StagedStep): void {
  if (step.backedUp && step.done) renameSync(backupOf(step), at(step.spot));
  else if (step.backedUp) removeIfThere(backupOf(step));
  else if (step.done && step.kind === 'put' && step.before === null) removeIfThere(at(step.spot));
}

function backupOf(step: StagedStep): string {
  return at({ ...step.spot, name: step.backup });
}

/** Removing a link loses nothing, whatever happened to its target. */
function refuseIfChanged({ kind, spot, expected, before, asked }: StagedStep): void {
  const now = lstatSync(at(spot), { throwIfNoEntry: false });
  if (kind === 'remove' && now?.isSymbolicLink() === true) return;
  const isSame = kind === 'remove' ? now !== undefined && !now.isDirectory() : now?.ino === before?.ino;
  if (isSame && (expected === undefined || versionOf(at(spot)) === expected)) return;
  throw new EnvironmentError({
    code: 'changed',
    message: `${asked} changed since it was read: read it again, then repeat the change.`,
  });
}

function removeIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Never made, or already in its place.
  }
}
