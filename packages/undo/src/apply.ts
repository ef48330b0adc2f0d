import { linkSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errnoOf } from './failure.ts';
import { holdFolder } from './held-folder.ts';
import { ancestorsOf, nameOf, parentOf, type PathKey } from './path-bytes.ts';
import type { RestoreJournal, RestoreStep } from './restore-journal.ts';
import type { Roots } from './roots.ts';

/** Identifies a file: which file it is, its size, type and modification time. */
export function identityOf(file: string | Buffer): string | null {
  try {
    const stats = lstatSync(file, { bigint: true });
    return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mode}:${stats.mtimeNs}`;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) return null;
    throw error;
  }
}

const SLICE = 64;

/**
 * Does every step that is not done yet, deletions first. Safe to repeat after a crash at any point. Returns the steps that were skipped
 * because somebody else changed the file meanwhile; throws on anything else, and then `takeBack` restores what was there.
 */
export async function applySteps(roots: Roots, journal: RestoreJournal): Promise<ReadonlySet<number>> {
  const left = new Set<number>();
  for (const [count, { step, index }] of inOrder(journal).entries()) {
    if (count % SLICE === SLICE - 1) await nextTurn();
    const done = attempt(() => (step.made === null ? moveAway : putInPlace)(roots, step, namesIn(journal, index)));
    if (!done) left.add(index);
    if (step.made === null) removeEmptyFolders(roots, step.path);
  }
  return left;
}

/**
 * The opposite, newest step first: each file is exactly the one that was there before. May itself be interrupted: `applySteps` then
 * finishes.
 */
export function takeBack(roots: Roots, journal: RestoreJournal): void {
  for (const { step, index } of inOrder(journal).toReversed()) {
    const names = namesIn(journal, index);
    attempt(() => inFolder(roots, step.path, (place) => putBack(place, step, names)));
    removeEmptyFolders(roots, step.path);
  }
}

/** A folder can only replace a file, or a file a folder, once the old one is gone. */
function inOrder({ steps }: RestoreJournal): ReadonlyArray<{ readonly step: RestoreStep; readonly index: number }> {
  const numbered = steps.map((step, index) => ({ step, index }));
  return [...numbered.filter(({ step }) => step.made === null), ...numbered.filter(({ step }) => step.made !== null)];
}

type Names = { readonly old: string; readonly fresh: string };

export function namesIn({ stage }: Pick<RestoreJournal, 'stage'>, index: number): Names {
  return { old: `${stage}/old-${index}`, fresh: `${stage}/new-${index}` };
}

/** These mean that the plan is outdated: something else is there now. */
const MEANWHILE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EEXIST', 'ENOTEMPTY', 'EISDIR']);

function attempt(run: () => boolean): boolean {
  try {
    return run();
  } catch (error) {
    if (MEANWHILE.has(errnoOf(error))) return false;
    throw error;
  }
}

function putBack(place: Buffer, { made }: RestoreStep, { old, fresh }: Names): boolean {
  const isOurs = made !== null && identityOf(place) === made;
  if (isOurs && identityOf(fresh) === null) linkOr(place, fresh);
  if (!isOurs && identityOf(place) !== null) return false;
  if (identityOf(old) !== null) renameSync(old, place);
  else if (identityOf(place) !== null) unlinkSync(place);
  return true;
}

function moveAway(roots: Roots, { path, was }: RestoreStep, { old }: Names): boolean {
  if (identityOf(old) !== null) return true;
  const folder = holdFolder(roots.root, parentOf(path), 'fail');
  try {
    const place = folder.child(nameOf(path));
    if (was === null || identityOf(place) !== was) return false;
    renameSync(place, old);
    return true;
  } finally {
    folder.close();
  }
}

function putInPlace(roots: Roots, { path, was, made }: RestoreStep, { old, fresh }: Names): boolean {
  if (identityOf(fresh) === null) return true;
  return inFolder(roots, path, (place) => {
    const there = identityOf(place);
    if (there === made) {
      unlinkSync(fresh);
      return true;
    }
    const isMoved = there === null && was !== null && identityOf(old) === was;
    if (was === null || isMoved) return there === null || isEmptied(place) ? linkInto(fresh, place) : false;
    if (there !== was) return false;
    if (identityOf(old) === null) linkOr(place, old);
    renameSync(fresh, place);
    return true;
  });
}

/** Fails if a file appeared since we looked; a rename would replace it. */
function linkInto(fresh: string, place: Buffer): boolean {
  if (linkOr(fresh, place) === 'linked') unlinkSync(fresh);
  return true;
}

/** Some file systems, and some owners' files, allow no hard link: then it is moved. */
const NO_LINKS = new Set(['EPERM', 'EACCES', 'EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

function linkOr(from: string | Buffer, to: string | Buffer): 'linked' | 'moved' {
  try {
    linkSync(from, to);
    return 'linked';
  } catch (error) {
    if (!NO_LINKS.has(errnoOf(error))) throw error;
    renameSync(from, to);
    return 'moved';
  }
}

/** Folders without files belong to nobody: they are removed when a file needs their place. */
function isEmptied(place: Buffer): boolean {
  if (!lstatSync(place).isDirectory()) return false;
  for (const name of readdirSync(place, { encoding: 'buffer' })) {
    if (!isEmptied(Buffer.concat([place, Buffer.from('/'), name]))) return false;
  }
  rmdirSync(place);
  return true;
}

function inFolder<T>(roots: Roots, path: PathKey, run: (place: Buffer) => T): T {
  const folder = holdFolder(roots.root, parentOf(path), 'make');
  try {
    return run(folder.child(nameOf(path)));
  } finally {
    folder.close();
  }
}

/** Folders that became empty above a path, never the workspace itself. */
function removeEmptyFolders(roots: Roots, path: PathKey): void {
  for (const above of ancestorsOf(path)) {
    if (!above.startsWith(roots.prefix)) return;
    try {
      const folder = holdFolder(roots.root, parentOf(above), 'fail');
      try {
        rmdirSync(folder.child(nameOf(above)));
      } finally {
        folder.close();
      }
    } catch {
      return;
    }
  }
}
