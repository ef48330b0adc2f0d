import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { SnapshotId } from './contract.ts';
import { realDisk, writeDurably } from '@attractor/system';

import type { PathKey } from './path-bytes.ts';

/** What is done to one path. `was` and `made` identify the old file and the new one (see `identityOf`). */
export type RestoreStep = {
  readonly path: PathKey;
  readonly was: string | null;
  readonly made: string | null;
};

/**
 * `restore.json`: exists only while a rewind is under way. `staged`: no file of the workspace was touched yet, or all are done and
 * recorded: the stage can go. `applying`: everything needed to finish or to roll back is in the stage: `new-<n>` until step n is done,
 * `old-<n>` from then on if there was something before.
 */
export type RestoreJournal = {
  readonly v: 1;
  readonly phase: 'staged' | 'applying';
  /** An absolute path inside the workspace, so that moving a file from there is one rename. */
  readonly stage: string;
  /** The id of the snapshot that the rewind ends with: once it is recorded, the rewind is done. */
  readonly id: SnapshotId;
  readonly by: 'rewind' | 'redo';
  readonly turn: number;
  readonly seq?: number;
  readonly target: SnapshotId;
  readonly before: SnapshotId;
  readonly label: string;
  readonly steps: ReadonlyArray<RestoreStep>;
};

const fileIn = (statePath: string): string => path.join(statePath, 'restore.json');

export function writeRestoreJournal(statePath: string, journal: RestoreJournal): void {
  writeDurably(fileIn(statePath), JSON.stringify(journal));
}

export function readRestoreJournal(statePath: string): RestoreJournal | null {
  const file = fileIn(statePath);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

export function endRestoreJournal(statePath: string): void {
  rmSync(fileIn(statePath), { force: true });
  realDisk.syncFolder(statePath);
}
