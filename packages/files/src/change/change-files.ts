import { existsSync, unlinkSync, type Stats } from 'node:fs';
import path from 'node:path';
import {
  anchorFolder,
  checkNewName,
  checkUnprotected,
  makeFolders,
  type ResolvedPath,
  resolveInside,
} from '@attractor/confine';

import { randomHex } from '@attractor/base/random';
import { environmentError, EnvironmentError, type LockedFiles, lockFiles } from '@attractor/system';
import type { FileChange, OperationOptions } from '../file-operations.ts';
import { recordPath, recoverInterrupted, writeRecord, type ChangeRecord } from './change-record.ts';
import { commitSteps, rollBack, type StagedStep } from './commit-steps.ts';

import { versionOf } from './file-version.ts';
import {
  at,
  duplicate,
  syncFolder,
  writableOrNull,
  writeTemporary,
  type FileTemplate,
  type HeldEntry,
} from './stage.ts';

/**
 * Makes all the changes, or none of them. New content is written and synced beside its place before anything is replaced; if a step fails,
 * the earlier files are restored, with the same inodes. A reader sees each file old or new, never a mix. If the process dies on the way,
 * the next change below `root`, by whatever process, first rolls the rest back.
 */
export async function changeFiles(
  root: string,
  changes: ReadonlyArray<FileChange>,
  { signal }: OperationOptions = {},
): Promise<void> {
  const steps = changes.flatMap(stepsOf);
  const places = steps.map((step) => placeOf(root, step));
  refuseRepeats(steps, places);
  try {
    const { held, record } = await takeHold(root, places, signal);
    const staging: Staging = { root, record, held, signal, staged: [], writing: [], undo: [], close: [] };
    try {
      await makeChanges(staging, steps, places);
    } finally {
      for (const close of staging.close) close();
      held.release();
    }
  } catch (error) {
    throw environmentError(error, changes[0]?.path ?? '');
  }
}

type Step =
  | {
      readonly kind: 'put';
      readonly path: string;
      readonly content: string | null;
      readonly expected: string | null | undefined;
      /** Whose mode and owner the file gets and, if `content` is null, whose content. */
      readonly from?: string;
    }
  | { readonly kind: 'remove'; readonly path: string; readonly expected: string | undefined };

function stepsOf(change: FileChange): ReadonlyArray<Step> {
  const { path, expectedVersion } = change;
  if (change.kind === 'write')
    return [{ kind: 'put', path, content: change.content, expected: change.expectedVersion }];
  const remove: Step = { kind: 'remove', path, expected: expectedVersion ?? undefined };
  if (change.kind === 'delete') return [remove];
  return [{ kind: 'put', path: change.to, content: change.content, expected: null, from: path }, remove];
}

/** A link stays and its target is written; a removal removes the link itself. */
function placeOf(root: string, step: Step): ResolvedPath {
  const resolved = resolveInside(root, step.path, { last: step.kind === 'put' ? 'target' : 'link' });
  checkUnprotected(resolved.relative);
  if (resolved.stats?.isDirectory() === true) throw refusal('not_a_file', `${step.path} is a folder, not a file.`);
  if (step.kind === 'remove' && resolved.stats === null) {
    throw refusal('not_found', `${step.path} does not exist: nothing was deleted.`);
  }
  if (step.kind === 'put') {
    if (resolved.stats === null) for (const name of resolved.rest) checkNewName(name);
    if (step.expected === null && resolved.stats !== null) throw refusal('changed', `${step.path} already exists.`);
  }
  return resolved;
}

function refuseRepeats(steps: ReadonlyArray<Step>, places: ReadonlyArray<ResolvedPath>): void {
  const seen = new Set<string>();
  for (const [index, { real }] of places.entries()) {
    if (seen.has(real)) {
      throw refusal(
        'invalid_path',
        `${steps[index]?.path} is the same file as another one of this change: name it once.`,
      );
    }
    seen.add(real);
  }
}

/** A record under our own lock belongs to a dead process: it is resolved before ours may replace it. */
async function takeHold(
  root: string,
  places: ReadonlyArray<ResolvedPath>,
  signal: AbortSignal | undefined,
): Promise<{ readonly held: LockedFiles; readonly record: string }> {
  for (;;) {
    await recoverInterrupted(root);
    const held = await lockFiles(
      places.map(({ real }) => real),
      signal,
    );
    const record = recordPath(root, held.keys[0] ?? '');
    if (!existsSync(record)) return { held, record };
    held.release();
  }
}

const MAX_WRITING = 16;

type Staging = {
  readonly root: string;
  readonly record: string;
  readonly held: LockedFiles;
  readonly signal: AbortSignal | undefined;
  readonly staged: StagedStep[];
  /** Syncs under way: a few at once cost little more than one. */
  readonly writing: Promise<void>[];
  readonly undo: (() => void)[];
  readonly close: (() => void)[];
};

async function makeChanges(
  staging: Staging,
  steps: ReadonlyArray<Step>,
  places: ReadonlyArray<ResolvedPath>,
): Promise<void> {
  const names = steps.map(() => `.attractor-${randomHex(8)}`);
  const note = (state: Partial<ChangeRecord>): void =>
    writeRecord(staging.record, { ...recordOf(staging.root, places, names), ...state });
  const { staged } = staging;
  note({});
  try {
    for (const [index, step] of steps.entries()) await stage(staging, step, names[index] ?? '');
    await written(staging);
    staging.signal?.throwIfAborted();
    if (staged.length > 1) for (const step of staged) step.after = step.temporary && versionOf(step.temporary);
    const recorded = recordOf(staging.root, places, names, staged).steps;
    if (staged.length > 1) note({ steps: recorded });
    if (!staging.held.isHeld())
      throw refusal('changed', 'This process stood still too long: nothing was changed. Try again.');
    commitSteps(staged);
    const folders = new Map(staged.map(({ spot }, index) => [path.dirname(places[index]?.real ?? ''), spot.folder]));
    for (const folder of folders.values()) await syncFolder(folder);
    if (staged.length > 1) note({ steps: recorded, committed: true });
  } catch (error) {
    await Promise.allSettled(staging.writing);
    rollBack(staged);
    for (const undo of staging.undo.toReversed()) undo();
    remove(staging.record);
    throw error;
  }
  for (const step of staged) if (step.backedUp) remove(at({ ...step.spot, name: step.backup }));
  remove(staging.record);
}

function recordOf(
  root: string,
  places: ReadonlyArray<ResolvedPath>,
  ...[names, staged]: [names: ReadonlyArray<string>, staged?: ReadonlyArray<StagedStep>]
): ChangeRecord {
  return {
    root,
    committed: false,
    madeFolders: places.flatMap(({ folder, rest }) =>
      rest.slice(0, -1).map((_, index) => path.join(folder, ...rest.slice(0, index + 1))),
    ),
    steps: places.map(({ real, stats }, index) => ({
      file: real,
      temporary: `${names[index]}.tmp`,
      backup: `${names[index]}.old`,
      existed: stats !== null,
      after: staged === undefined ? '' : (staged[index]?.after ?? null),
    })),
  };
}

async function stage(staging: Staging, step: Step, name: string): Promise<void> {
  staging.signal?.throwIfAborted();
  try {
    if (step.kind === 'put') stagePut(staging, step, name);
    else stageRemoval(staging, step, name);
    if (staging.writing.length >= MAX_WRITING) await written(staging);
  } catch (error) {
    throw environmentError(error, step.path);
  }
}

async function written({ writing }: Staging): Promise<void> {
  await Promise.all(writing);
  writing.length = 0;
}

/** Resolved again, since an earlier step may have created the folders. */
function stagePut(staging: Staging, step: Extract<Step, { kind: 'put' }>, name: string): void {
  const resolved = resolveInside(staging.root, step.path);
  const folder = makeFolders(staging.root, resolved);
  staging.undo.push(folder.undo);
  staging.close.push(folder.close);
  const spot = { folder, name: resolved.rest.at(-1) ?? '' };
  const source = step.from === undefined ? undefined : spotOf(staging, step.from);
  const temporary = at({ folder, name: `${name}.tmp` });
  const entry = {
    kind: 'put',
    asked: step.path,
    expected: step.expected,
    spot,
    source,
    temporary,
    ...UNTOUCHED,
  } as const;
  const staged: StagedStep = { ...entry, backup: `${name}.old`, before: null, after: null };
  staging.staged.push(staged);
  staged.before = writableOrNull(spot, step.path);
  const stats = source === undefined ? staged.before : movable(source, step.from ?? '');
  const like = stats === null ? null : { file: at(source ?? spot), stats };
  if (step.content !== null) staging.writing.push(writeStep(temporary, step, like));
  else if (source !== undefined) duplicate(at(source), temporary);
}

async function writeStep(
  temporary: string,
  { path, content }: Extract<Step, { kind: 'put' }>,
  like: FileTemplate | null,
) {
  try {
    await writeTemporary(temporary, content ?? '', like);
  } catch (error) {
    throw environmentError(error, path);
  }
}

const UNTOUCHED = { done: false, backedUp: false };

function stageRemoval(staging: Staging, step: Extract<Step, { kind: 'remove' }>, name: string): void {
  const spot = spotOf(staging, step.path);
  const entry = { kind: 'remove', asked: step.path, expected: step.expected, spot, source: undefined } as const;
  staging.staged.push({ ...entry, temporary: null, backup: `${name}.old`, before: null, after: null, ...UNTOUCHED });
}

function spotOf({ root, close }: Staging, asked: string): HeldEntry {
  const resolved = resolveInside(root, asked, { last: 'link' });
  const folder = anchorFolder(root, resolved.folder);
  close.push(folder.close);
  return { folder, name: resolved.rest.at(-1) ?? '' };
}

function movable(source: HeldEntry, asked: string): Stats {
  const stats = writableOrNull(source, asked);
  if (stats === null) throw refusal('not_found', `${asked} does not exist.`);
  return stats;
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Already gone.
  }
}

function refusal(code: string, message: string): EnvironmentError {
  return new EnvironmentError({ code, message });
}
