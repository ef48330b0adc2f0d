import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { done } from '@attractor/base';
import { largeFilesProblem } from '@attractor/git';
import type { Result } from '@attractor/store';
import { placeLargeFiles } from '../git/large-objects.ts';
import { git } from '../git/repository.ts';
import type { Checkout } from './checkouts.ts';
import {
  type ChangedFile,
  changedFiles,
  entryAt,
  isSame,
  stateOnDisk,
  statesInIndex,
  type Step,
} from './file-states.ts';

/** Why a checkout can't follow. `passes`: by itself, such as another git's lock. */
export type Obstacle = {
  readonly message: string;
  readonly passes: boolean;
  /** What is not committed there, and would have to be put aside. */
  readonly uncommitted?: { readonly folder: string; readonly files: ReadonlyArray<string> };
};

/**
 * Looks, and changes no file: whether the checkout can follow without losing anything. Changes that are not committed may be there, as
 * long as they are in other files. Unlike git's own merge, a file that git ignores is not overwritten either.
 */
export async function lookAtCheckout(
  { folder, admin, busy }: Checkout,
  step: Step,
): Promise<{ readonly obstacle: Obstacle } | { readonly seen: Comparison }> {
  if (busy !== null) return { obstacle: { message: `${folder} ${busy}.`, passes: false } };
  const lock = join(admin, 'index.lock');
  if (existsSync(lock)) {
    const message = `Another git is at work in ${folder}, or was killed there: if none is running, remove ${lock}.`;
    return { obstacle: { message, passes: true } };
  }
  const look = await compare(folder, step);
  if (!look.ok) return { obstacle: { message: `${folder} could not be read: ${look.error.message}`, passes: false } };
  const obstacle = obstacleIn(folder, look.value);
  return obstacle === null ? { seen: look.value } : { obstacle };
}

function obstacleIn(folder: string, { lost, unmerged, filtered }: Comparison): Obstacle | null {
  if (unmerged.length > 0) return { message: `${folder} has conflicts in ${shown(unmerged)}.`, passes: false };
  if (lost.length > 0)
    return {
      message: `${folder} has changes in ${shown(lost)} that are not committed, and the merge changes the same files: commit them, or stash them with "git stash".`,
      passes: false,
      uncommitted: { folder, files: lost },
    };
  if (filtered.length === 0) return null;
  return {
    message: `${shown(filtered)} in ${folder} would have to go through a filter of yours, which is not run here: switch that folder to another branch.`,
    passes: false,
  };
}

/**
 * The files and the index of the checkout become those of the new commit; HEAD is left to the caller. Repeated, it changes nothing. `seen`:
 * what a look at the same step found just before.
 */
export async function followStep(
  { folder }: Pick<Checkout, 'folder'>,
  step: Step,
  seen?: Comparison,
): Promise<Result<null>> {
  const look = seen === undefined ? await compare(folder, step) : done(seen);
  if (!look.ok) return look;
  // Written by a move that was interrupted before it wrote the index.
  const lines = look.value.arrived.map(({ path, new: state }) =>
    state === null ? `0 ${'0'.repeat(40)}\t${path}\0` : `${state.mode} ${state.blob}\t${path}\0`,
  );
  if (lines.length > 0) {
    const known = await git(['update-index', '-z', '--index-info'], { cwd: folder, stdin: lines.join('') });
    if (!known.ok) return known;
    await git(['update-index', '-q', '--refresh'], { cwd: folder });
  }
  const moved = await git(['read-tree', '-m', '-u', step.from, step.to], { cwd: folder });
  if (!moved.ok) return moved;
  if (look.value.large.length > 0) await placeLargeFiles(folder, look.value.large);
  return done(null);
}

export type Comparison = {
  /** Differ from both commits: following would overwrite them. */
  readonly lost: ReadonlyArray<string>;
  /** Are on disk already as they shall be. */
  readonly arrived: ReadonlyArray<ChangedFile>;
  readonly unmerged: ReadonlyArray<string>;
  readonly filtered: ReadonlyArray<string>;
  /** Git LFS keeps them. */
  readonly large: ReadonlyArray<string>;
};

async function compare(folder: string, step: Step): Promise<Result<Comparison>> {
  const files = await changedFiles(folder, step);
  if (!files.ok) return files;
  const unmerged = await names(folder, ['ls-files', '--unmerged', '--full-name', '-z', '--', ':/']);
  if (!unmerged.ok) return unmerged;
  const touched = await touchedFiles(folder, step, files.value);
  if (!touched.ok) return touched;
  const index = await statesInIndex(
    folder,
    touched.value.map(({ path }) => path),
  );
  if (!index.ok) return index;
  const arrived: ChangedFile[] = [];
  const lost: string[] = blockedFolders(folder, files.value);
  for (const file of touched.value) {
    const [disk, staged] = [await stateOnDisk(folder, file.path), index.value.get(file.path) ?? null];
    const isStagedElse = !isSame(staged, file.old) && !isSame(staged, file.new);
    if (disk === undefined || isStagedElse || !isSame(disk, file.new)) lost.push(file.path);
    else arrived.push(file);
  }
  return done({
    lost,
    arrived,
    unmerged: unmerged.value.map((line) => line.slice(line.indexOf('\t') + 1)),
    ...(await throughFilter(folder, files.value)),
  });
}

/** Those of the step's files that are not as in the old commit, on disk or in the index. */
async function touchedFiles(
  folder: string,
  { from }: Step,
  files: ReadonlyArray<ChangedFile>,
): Promise<Result<ReadonlyArray<ChangedFile>>> {
  await git(['update-index', '-q', '--refresh'], { cwd: folder });
  const onDisk = await names(folder, ['diff-index', '-z', '--name-only', '--no-renames', from]);
  if (!onDisk.ok) return onDisk;
  const staged = await names(folder, ['diff-index', '--cached', '-z', '--name-only', '--no-renames', from]);
  if (!staged.ok) return staged;
  const differing = new Set([...onDisk.value, ...staged.value]);
  const going = goingOf(files);
  return done(
    files.filter(({ path, old }) => differing.has(path) || (old === null && isInTheWay({ folder, path, going }))),
  );
}

function goingOf(files: ReadonlyArray<ChangedFile>): ReadonlySet<string> {
  return new Set(files.filter((file) => file.new === null).map(({ path }) => path));
}

type Wanted = { readonly folder: string; readonly path: string; readonly going: ReadonlySet<string> };

/** Whether something stands where a new file shall be. A folder gives way if nothing is left in it. */
function isInTheWay({ folder, path, going }: Wanted): boolean {
  const stats = entryAt(folder, path);
  if (stats?.isDirectory() !== true) return stats !== undefined;
  const below = readdirSync(join(folder, path), { withFileTypes: true });
  return below.some((entry) => {
    const at = `${path}/${entry.name}`;
    return entry.isDirectory() ? isInTheWay({ folder, path: at, going }) : !going.has(at);
  });
}

/** Files of the person's that stand where a folder is needed. */
function blockedFolders(folder: string, files: ReadonlyArray<ChangedFile>): string[] {
  const going = goingOf(files);
  const parents = new Set<string>();
  for (const { path, old, new: wanted } of files)
    if (old === null && wanted !== null)
      for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) parents.add(parent);
  return [...parents].filter((parent) => {
    const stats = entryAt(folder, parent);
    return stats !== undefined && !stats.isDirectory() && !going.has(parent);
  });
}

/** Programs of a person's configuration are not run here, so these files would be written unfiltered. Git LFS is known. */
async function throughFilter(
  folder: string,
  files: ReadonlyArray<ChangedFile>,
): Promise<Pick<Comparison, 'filtered' | 'large'>> {
  const paths = files.filter((file) => file.new !== null).map(({ path }) => path);
  if (paths.length === 0) return { filtered: [], large: [] };
  const asked = await git(['check-attr', '-z', '--stdin', 'filter'], { cwd: folder, stdin: paths.join('\0') });
  const parts = asked.ok ? asked.value.split('\0') : [];
  const filterOf = (at: number): string => (parts[at * 3] === paths[at] ? (parts[at * 3 + 2] ?? '') : 'unset');
  const large = paths.filter((_, at) => filterOf(at) === 'lfs');
  const isReadable = large.length > 0 && (await largeFilesProblem({ cwd: folder })) === null;
  const plain = new Set(['unspecified', 'unset', ...(isReadable ? ['lfs'] : [])]);
  return { filtered: paths.filter((_, at) => !plain.has(filterOf(at))), large: isReadable ? large : [] };
}

async function names(folder: string, args: ReadonlyArray<string>): Promise<Result<ReadonlyArray<string>>> {
  const listed = await git(args, { cwd: folder });
  return listed.ok ? done(listed.value.split('\0').filter((name) => name !== '')) : listed;
}

const SHOWN = 5;

function shown(paths: ReadonlyArray<string>): string {
  const unique = [...new Set(paths)];
  const more = unique.length > SHOWN ? ` and ${unique.length - SHOWN} more` : '';
  return `${unique.slice(0, SHOWN).join(', ')}${more}`;
}
