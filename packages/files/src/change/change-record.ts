import { lstatSync, readdirSync, readFileSync, renameSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { anchorFolder, checkUnprotected, isInside } from '@attractor/confine';

import { EnvironmentError, lockFiles, lockFolder, lockKey, lockIfFree } from '@attractor/system';

import { versionOf } from './file-version.ts';

/**
 * A change in progress, recorded before anything of it is on disk and removed when it is done. It belongs to the holder of its first file;
 * if that holder is dead, the change was interrupted and is rolled back: every file is then as before.
 * `committed`: everything is in place and only the leftovers remain to be removed.
 */
export type ChangeRecord = {
  readonly root: string;
  readonly steps: ReadonlyArray<RecordedStep>;
  readonly madeFolders: ReadonlyArray<string>;
  readonly committed: boolean;
};

/** Paths are real; `temporary` and `backup` are names beside the file. `after` is the new version; null: the file is removed. */
export type RecordedStep = {
  readonly file: string;
  readonly temporary: string;
  readonly backup: string;
  readonly existed: boolean;
  readonly after: string | null;
};

export function recordPath(root: string, key: string): string {
  return path.join(lockFolder(), `${prefixOf(root)}${key}.json`);
}

export function writeRecord(file: string, record: ChangeRecord): void {
  writeFileSync(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Rolls back every change below `root` that a dead process left unfinished. */
export async function recoverInterrupted(root: string): Promise<void> {
  const folder = lockFolder();
  const prefix = prefixOf(root);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix)) continue;
    const [key = ''] = name.slice(prefix.length).split('.');
    const lock = lockIfFree(key);
    if (lock === null) continue;
    try {
      if (name.endsWith('.json')) await recoverOne(root, path.join(folder, name), key);
      else removeFile(path.join(folder, name));
    } finally {
      lock.release();
    }
  }
}

async function recoverOne(root: string, file: string, heldKey: string): Promise<void> {
  const record = readRecord(file);
  if (record?.root === root) {
    const held = await lockFiles(record.steps.map((step) => step.file).filter((step) => lockKey(step) !== heldKey));
    try {
      for (const step of record.steps.toReversed()) recoverStep(root, step, record.committed);
      if (!record.committed) for (const made of record.madeFolders.toReversed()) removeFolder(root, made);
    } finally {
      held.release();
    }
  }
  removeFile(file);
}

/** A person's later changes stay. */
function recoverStep(root: string, step: RecordedStep, committed: boolean): void {
  const folder = folderOf(root, step.file);
  if (folder === null) return;
  const at = (name: string): string => `${folder.at}/${name}`;
  const target = at(path.basename(step.file));
  try {
    if (!committed && versionOf(target) === step.after) {
      if (isThere(at(step.backup))) renameSync(at(step.backup), target);
      else if (!step.existed && step.after !== null) removeFile(target);
    }
    removeFile(at(step.backup));
    removeFile(at(step.temporary));
  } finally {
    folder.close();
  }
}

/** A record is a file that other programs of the same user could write: it is obeyed only for what a tool may change anyway. */
function folderOf(root: string, file: string): ReturnType<typeof anchorFolder> | null {
  try {
    if (!isInside(root, file)) return null;
    checkUnprotected(path.relative(root, file));
    return anchorFolder(root, path.dirname(file));
  } catch (error) {
    if (error instanceof EnvironmentError || (error instanceof Error && 'code' in error)) return null;
    throw error;
  }
}

function removeFolder(root: string, made: string): void {
  const parent = folderOf(root, made);
  try {
    if (parent !== null) rmdirSync(`${parent.at}/${path.basename(made)}`);
  } catch {
    // Now in use, or never made.
  } finally {
    parent?.close();
  }
}

function readRecord(file: string): ChangeRecord | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isChangeRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isChangeRecord(value: unknown): value is ChangeRecord {
  const record = value as Partial<ChangeRecord> | null;
  return (
    typeof record?.root === 'string' &&
    typeof record.committed === 'boolean' &&
    Array.isArray(record.madeFolders) &&
    record.madeFolders.every((folder) => typeof folder === 'string') &&
    Array.isArray(record.steps) &&
    record.steps.every(isStep)
  );
}

const BESIDE = /^\.attractor-[0-9a-f]+\.(?:tmp|old)$/;

function isStep(value: unknown): value is RecordedStep {
  const step = value as Partial<RecordedStep> | null;
  return (
    typeof step?.file === 'string' &&
    path.isAbsolute(step.file) &&
    path.normalize(step.file) === step.file &&
    BESIDE.test(step.temporary ?? '') &&
    BESIDE.test(step.backup ?? '') &&
    typeof step.existed === 'boolean' &&
    (step.after === null || typeof step.after === 'string')
  );
}

function prefixOf(root: string): string {
  return `${lockKey(root).slice(0, 8)}-`;
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function removeFile(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Already gone.
  }
}
