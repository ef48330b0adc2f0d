import { lstatSync, readdirSync, type Stats } from 'node:fs';
import type { ChangedFile, KeptFile } from './contract.ts';
import { historiesSince, sameImage, type Image, type PathHistory } from './history.ts';
import { ignoredAt } from './ignored-then.ts';
import type { LeftOutKey, SnapshotRecord } from './log.ts';
import { absolutePath, ancestorsOf, nameOf, showPath, type PathKey } from './path-bytes.ts';
import type { UndoContext } from './snapshot.ts';

/** One path that a rewind changes to another version: written (`to`) or deleted (null). */
export type Operation = { readonly path: PathKey; readonly from: Image; readonly to: Image };

export type KeptKey = Omit<KeptFile, 'path'> & { readonly path: PathKey };

export type Plan = { readonly operations: ReadonlyArray<Operation>; readonly kept: ReadonlyArray<KeptKey> };

/**
 * What brings the files back to `target`. True for every plan: a person's last version of a file stays or comes back; nothing is
 * overwritten or deleted whose current content is not stored; a file is deleted only if the target would have contained it, had it existed.
 * The last snapshot must be current.
 */
export async function planRewind(context: UndoContext, target: SnapshotRecord): Promise<Plan> {
  const histories = await historiesSince(context, target);
  const wanted = wantedOperations(histories, target);
  const kept = new Map([...personsOwn(histories)].map((one) => [one.path, one]));
  const unstored = wanted.filter((one) => !isStored(context, one)).map(({ path }) => path);
  const ignored = await ignoredPaths(context, { wanted, histories, target });
  const safe = without(wanted, kept, [
    ['not_stored', new Set(unstored)],
    ['ignored', ignored],
  ]);
  const blocked = inTheWay(context, safe, target);
  return { operations: without(safe, kept, [['in_the_way', blocked]]), kept: [...kept.values()] };
}

export function changeOf({ path, from, to }: Pick<Operation, 'path' | 'from' | 'to'>): ChangedFile {
  return { path: showPath(path), change: to === null ? 'deleted' : from === null ? 'added' : 'modified' };
}

type Wanted = Operation & { readonly source: SnapshotRecord };

function wantedOperations(histories: ReadonlyMap<PathKey, PathHistory>, target: SnapshotRecord): Wanted[] {
  return [...histories].flatMap(([path, { now, atTarget, person }]) => {
    const to = person === null ? atTarget : person.image;
    return sameImage(now, to) ? [] : [{ path, from: now, to, source: person?.record ?? target }];
  });
}

function* personsOwn(histories: ReadonlyMap<PathKey, PathHistory>): Generator<KeptKey> {
  for (const [path, { atTarget, person, agentToo }] of histories) {
    if (person === null || sameImage(person.image, atTarget)) continue;
    yield { path, reason: agentToo ? 'conflict' : 'person' };
  }
}

/** Both versions are in the store: the new one and the old one. */
function isStored(context: UndoContext, { path, from, source }: Wanted): boolean {
  const last = context.log.last();
  if (covers(context.log.leftOutOf(source), path)) return false;
  if (last !== undefined && covers(context.log.leftOutOf(last), path)) return false;
  const stats = lstatOrNull(context, path);
  return from !== null || stats === null || stats.isDirectory();
}

function covers(leftOut: ReadonlyArray<LeftOutKey>, path: PathKey): boolean {
  return leftOut.some((one) => one.path === path || (one.path.endsWith('/') && path.startsWith(one.path)));
}

type Considered = {
  readonly wanted: ReadonlyArray<Wanted>;
  readonly histories: ReadonlyMap<PathKey, PathHistory>;
  readonly target: SnapshotRecord;
};

/** With the same ignore rules then and now, what is stored now would have been stored then. */
async function ignoredPaths(context: UndoContext, { wanted, histories, target }: Considered): Promise<Set<PathKey>> {
  const deleted = wanted.filter(({ to }) => to === null).map(({ path }) => path);
  const sameRules = ![...histories.keys()].some((path) => nameOf(path) === '.gitignore');
  return deleted.length === 0 || sameRules ? new Set() : ignoredAt(context, target, deleted);
}

/** Writes whose place is taken by something that stays: a file where a folder is needed, or a folder that does not become empty. */
function inTheWay(context: UndoContext, operations: ReadonlyArray<Wanted>, target: SnapshotRecord): Set<PathKey> {
  const deleted = new Set(operations.filter(({ to }) => to === null).map(({ path }) => path));
  const writes = operations.filter(({ to }) => to !== null);
  const taken = writes.filter(({ path }) => {
    const above = ancestorsOf(path).some((folder) => {
      const stats = lstatOrNull(context, folder);
      return stats !== null && !stats.isDirectory() && !deleted.has(folder);
    });
    return above || (lstatOrNull(context, path)?.isDirectory() === true && !empties(context, path, deleted));
  });
  return new Set([...taken.map(({ path }) => path), ...clashes(writes, target)]);
}

/** A file and a folder of one name, from two snapshots: the person's stays, otherwise the file. */
function clashes(writes: ReadonlyArray<Wanted>, target: SnapshotRecord): PathKey[] {
  const byPath = new Map(writes.map((one) => [one.path, one]));
  return writes.flatMap((inner) =>
    ancestorsOf(inner.path).flatMap((folder) => {
      const outer = byPath.get(folder);
      if (outer === undefined) return [];
      return outer.source.id === target.id && inner.source.id !== target.id ? [folder] : [inner.path];
    }),
  );
}

function empties(context: UndoContext, folder: PathKey, deleted: ReadonlySet<PathKey>): boolean {
  const at = absolutePath(context.store.roots.root, folder);
  return readdirSync(at, { withFileTypes: true, encoding: 'buffer' }).every((entry) => {
    const path = `${folder}/${entry.name.toString('latin1')}`;
    return entry.isDirectory() ? empties(context, path, deleted) : deleted.has(path);
  });
}

type Reasons = ReadonlyArray<readonly [KeptFile['reason'], ReadonlySet<PathKey>]>;

/** The operations without objections; the others are recorded in `kept`, each path once, with the last reason found. */
function without<T extends Operation>(
  operations: ReadonlyArray<T>,
  kept: Map<PathKey, KeptKey>,
  reasons: Reasons,
): T[] {
  return operations.filter(({ path }) => {
    const reason = reasons.find(([, paths]) => paths.has(path))?.[0];
    if (reason !== undefined) kept.set(path, { path, reason });
    return reason === undefined;
  });
}

/** What is at the path itself: nothing, if one of its folders is missing or a link. */
function lstatOrNull(context: UndoContext, path: PathKey): Stats | null {
  const { root } = context.store.roots;
  const look = (key: PathKey): Stats | null => lstatSync(absolutePath(root, key), { throwIfNoEntry: false }) ?? null;
  return ancestorsOf(path).every((folder) => isFolder(look, folder)) ? look(path) : null;
}

function isFolder(look: (key: PathKey) => Stats | null, folder: PathKey): boolean {
  try {
    return look(folder)?.isDirectory() === true;
  } catch {
    return false;
  }
}
