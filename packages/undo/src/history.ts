import type { SnapshotRecord } from './log.ts';
import { permissionsOf, type Modes } from './modes.ts';
import { unquotePath, type PathKey } from './path-bytes.ts';
import type { UndoContext } from './snapshot.ts';

/** One version of a path; null if there is none. Two are equal if all three parts are. */
export type Image = { readonly mode: string; readonly blob: string; readonly permissions: number } | null;

/** What happened to a path since a snapshot. `person`: the result of the person's last change, and the snapshot that caught it. */
export type PathHistory = {
  readonly atTarget: Image;
  readonly now: Image;
  readonly person: { readonly image: Image; readonly record: SnapshotRecord } | null;
  readonly agentToo: boolean;
};

export function sameImage(a: Image, b: Image): boolean {
  if (a === null || b === null) return a === b;
  return a.mode === b.mode && a.blob === b.blob && a.permissions === b.permissions;
}

/**
 * Every path that changed after `target`, up to the last snapshot. Walks back from the newest change, so each version is known completely.
 */
export async function historiesSince(
  context: UndoContext,
  target: SnapshotRecord,
): Promise<ReadonlyMap<PathKey, PathHistory>> {
  const records = context.log.records();
  const range = records.slice(records.findIndex(({ id }) => id === target.id));
  const steps = await stepsOf(context, range);
  const present = steps.some(({ bits }) => bits.length > 0) ? await presentImages(context) : new Map<PathKey, Image>();
  const histories = new Map<PathKey, PathHistory>();
  const laterImage = (path: PathKey): Image => {
    const known = histories.get(path);
    return known === undefined ? (present.get(path) ?? null) : known.atTarget;
  };
  for (const step of steps.toReversed()) {
    for (const [path, { before, after }] of changesOf(step, laterImage)) {
      const known = histories.get(path);
      histories.set(path, {
        atTarget: before,
        now: known === undefined ? after : known.now,
        person: known?.person ?? (step.record.by === 'person' ? { image: after, record: step.record } : null),
        agentToo: known?.agentToo === true || step.record.by === 'agent',
      });
    }
  }
  return histories;
}

type Diff = { readonly path: PathKey; readonly from: Half; readonly to: Half };
type Half = { readonly mode: string; readonly blob: string };

/** From one snapshot to the next: the differences between the trees, and between permission bits. */
type Step = {
  readonly record: SnapshotRecord;
  readonly diffs: ReadonlyArray<Diff>;
  readonly bits: ReadonlyArray<PathKey>;
  readonly modes: Modes;
  readonly modesBefore: Modes;
};

async function stepsOf(context: UndoContext, range: ReadonlyArray<SnapshotRecord>): Promise<ReadonlyArray<Step>> {
  const pairs = range.slice(1).map((record, index) => ({ record, before: range[index] ?? record }));
  const differing = pairs.filter(({ record, before }) => record.tree !== before.tree);
  const diffs = await diffTrees(
    context,
    differing.map(({ record, before }) => `${before.tree} ${record.tree}`),
  );
  const known = new Map<string, Modes>();
  const modesOf = (record: SnapshotRecord): Modes => {
    const modes = known.get(record.modes) ?? context.log.modesOf(record);
    known.set(record.modes, modes);
    return modes;
  };
  return pairs.map(({ record, before }) => {
    const modes = modesOf(record);
    const modesBefore = modesOf(before);
    const names = new Set([...modes.odd.keys(), ...modesBefore.odd.keys()]);
    const bits =
      modes === modesBefore ? [] : [...names].filter((path) => modes.odd.get(path) !== modesBefore.odd.get(path));
    return { record, modes, modesBefore, bits, diffs: diffs.get(`${before.tree} ${record.tree}`) ?? [] };
  });
}

async function diffTrees(context: UndoContext, pairs: ReadonlyArray<string>): Promise<Map<string, Diff[]>> {
  const found = new Map<string, Diff[]>();
  if (pairs.length === 0) return found;
  const args = ['diff-tree', '--stdin', '-r', '--raw', '--no-abbrev', '--no-renames'];
  const listed = await context.store.git(args, { stdin: [...new Set(pairs)].map((pair) => `${pair}\n`).join('') });
  let current: Diff[] = [];
  for (const line of listed.split('\n')) {
    if (line.startsWith(':')) current.push(parseDiff(line));
    else if (line !== '') found.set(line, (current = []));
  }
  return found;
}

function parseDiff(line: string): Diff {
  const tab = line.indexOf('\t');
  const [fromMode = '', toMode = '', fromBlob = '', toBlob = ''] = line.slice(1, tab).split(' ');
  return {
    path: unquotePath(line.slice(tab + 1)),
    from: { mode: fromMode, blob: fromBlob },
    to: { mode: toMode, blob: toBlob },
  };
}

type Change = { readonly before: Image; readonly after: Image };

/** For each path of a step: its version before and after it. If only the bits changed, the content is that of the following step. */
function changesOf(step: Step, later: (path: PathKey) => Image): ReadonlyMap<PathKey, Change> {
  const changes = new Map<PathKey, Change>();
  for (const path of step.bits) {
    const after = later(path);
    if (after === null || after.mode === '120000') continue;
    const permissions = permissionsOf(step.modesBefore, path, after.mode === '100755');
    if (permissions !== after.permissions) changes.set(path, { before: { ...after, permissions }, after });
  }
  for (const { path, from, to } of step.diffs) {
    changes.set(path, { before: imageOf(path, from, step.modesBefore), after: imageOf(path, to, step.modes) });
  }
  return changes;
}

function imageOf(path: PathKey, { mode, blob }: Half, modes: Modes): Image {
  if (mode === '000000') return null;
  return { mode, blob, permissions: mode === '120000' ? 0 : permissionsOf(modes, path, mode === '100755') };
}

/** The last snapshot's files, from the index: the two are only equal after a snapshot. */
async function presentImages(context: UndoContext): Promise<ReadonlyMap<PathKey, Image>> {
  const last = context.log.last();
  const images = new Map<PathKey, Image>();
  if (last === undefined) return images;
  const modes = context.log.modesOf(last);
  for (const line of (await context.store.git(['ls-files', '--stage'])).split('\n')) {
    if (line === '') continue;
    const tab = line.indexOf('\t');
    const [mode = '', blob = ''] = line.slice(0, tab).split(' ');
    const path = unquotePath(line.slice(tab + 1));
    images.set(path, imageOf(path, { mode, blob }, modes));
  }
  return images;
}
