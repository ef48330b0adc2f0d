import { chmod, mkdir, open, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { done } from '@attractor/base';
import { branchName, git } from '@attractor/repository';
import { refuse, type Result, type Task } from '@attractor/store';
import { borrowRepository } from './borrowed-repository.ts';
import type { BundlePart } from './format.ts';
import { bytesOfPiece } from './pieces.ts';
import type { Bundle } from './read-bundle.ts';

const AUTHOR = { name: 'Attractor', email: 'replay@attractor.invalid' };

/** `notes`: why the restored files are not those of the base, if they are not. */
export type RestoredBase = { readonly notes: ReadonlyArray<string> };

/** A repository in a new folder whose `main` is the base of the run: from the bundle, else from a repository that has the commit. */
export async function restoreBase(
  bundle: Bundle,
  place: { readonly folder: string; readonly repository: string },
): Promise<Result<RestoredBase>> {
  const base = await find(bundle, 'base');
  if (base !== null) return restoreFiles(bundle, { folder: place.folder, ...base.value });
  const commit = (await find(bundle, 'change'))?.value.baseCommit ?? null;
  if (typeof commit !== 'string') return refuse('invalid', 'The run never began: there is nothing to run again.');
  const borrowed = await borrowRepository(place.folder, { root: place.repository, commit });
  if (borrowed.ok) return done({ notes: [] });
  await rm(place.folder, { recursive: true, force: true });
  return refuse(
    'not_found',
    `The file does not hold the base, and ${place.repository} does not have its commit ${commit}: name a repository that has it with --repository, or export the run with --with-base.`,
  );
}

async function find<Name extends BundlePart['part']>(
  bundle: Bundle,
  name: Name,
): Promise<(BundlePart & { readonly part: Name }) | null> {
  const is = (part: BundlePart): part is BundlePart & { readonly part: Name } => part.part === name;
  for await (const part of bundle.parts()) if (is(part)) return part;
  return null;
}

type Files = { readonly folder: string; readonly tree: string; readonly masked: ReadonlyArray<string> };

async function restoreFiles(bundle: Bundle, { folder, tree, masked }: Files): Promise<Result<RestoredBase>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made = await git(['init', '--quiet', '--initial-branch=main'], { cwd: folder });
  if (!made.ok) return made;
  const wrote = await writeFiles(bundle, folder);
  if (!wrote.ok) return wrote;
  const added = await git(['add', '--all', '--force'], { cwd: folder, timeoutMs: ADD_MS });
  if (!added.ok) return added;
  const committed = await git(['commit', '--quiet', '--allow-empty', '-m', 'The base of the run'], {
    cwd: folder,
    author: AUTHOR,
  });
  if (!committed.ok) return committed;
  const same = await git(['rev-parse', 'HEAD^{tree}'], { cwd: folder });
  if (same.ok && same.value === tree) return done({ notes: [] });
  return done({
    notes: [
      masked.length === 0
        ? 'The restored files are not quite those of the base.'
        : `Secrets are masked in ${masked.length} files of the base, such as ${masked[0] ?? ''}.`,
    ],
  });
}

const ADD_MS = 10 * 60_000;

/** Links come last: no file is written through one. */
async function writeFiles(bundle: Bundle, folder: string): Promise<Result<null>> {
  const links: Array<{ readonly path: string; readonly to: string }> = [];
  let last: string | null = null;
  for await (const part of bundle.parts()) {
    if (part.part !== 'base_file') continue;
    const path = placeIn(folder, part.path);
    if (path === null) return refuse('invalid', `The file names a place outside its folder: ${part.path}`);
    if (part.mode === '120000') links.push({ path, to: bytesOfPiece(part).toString('utf8') });
    else {
      await mkdir(dirname(path), { recursive: true });
      const handle = await open(path, part.path === last ? 'a' : 'wx', 0o600);
      try {
        await handle.writeFile(bytesOfPiece(part));
      } finally {
        await handle.close();
      }
      await chmod(path, part.mode === '100755' ? 0o755 : 0o644);
    }
    last = part.path;
  }
  for (const { path, to } of links) {
    await mkdir(dirname(path), { recursive: true });
    await symlink(to, path);
  }
  return done(null);
}

/** Null for what is not a plain place inside, or belongs to git itself. */
function placeIn(folder: string, path: string): string | null {
  const names = path.split('/');
  const isPlain = names.every(
    (name) => name !== '' && name !== '.' && name !== '..' && !/^(?:\.git|git~\d+)[. ]*$/i.test(name),
  );
  return isPlain && !/[\0\\]/.test(path) ? join(folder, ...names) : null;
}

/** The branch of the new task as another run had left it when this one began. */
export async function restoreStart(
  bundle: Bundle,
  place: { readonly folder: string; readonly task: Task; readonly draft: string },
): Promise<Result<null>> {
  const { folder: cwd, task, draft } = place;
  const handle = await open(draft, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const part of bundle.parts()) {
      if (part.part !== 'patch' || part.of !== 'before') continue;
      const piece = bytesOfPiece(part);
      bytes += piece.length;
      await handle.writeFile(piece);
    }
  } finally {
    await handle.close();
  }
  if (bytes === 0) return done(null);
  const variables = { GIT_INDEX_FILE: `${draft}.index` };
  const staged = await inOrder(
    [
      ['read-tree', 'main'],
      ['apply', '--cached', '--binary', '--whitespace=nowarn', draft],
    ],
    { cwd, variables },
  );
  if (!staged.ok) return staged;
  const tree = await git(['write-tree'], { cwd, variables });
  if (!tree.ok) return tree;
  const commit = await git(['commit-tree', tree.value, '-p', 'main', '-m', 'What earlier runs did'], {
    cwd,
    author: AUTHOR,
  });
  return commit.ok ? inOrder([['update-ref', `refs/heads/${branchName(task, [])}`, commit.value]], { cwd }) : commit;
}

async function inOrder(
  steps: ReadonlyArray<ReadonlyArray<string>>,
  options: { readonly cwd: string; readonly variables?: Readonly<Record<string, string>> },
): Promise<Result<null>> {
  for (const step of steps) {
    const ran = await git(step, options);
    if (!ran.ok) return ran;
  }
  return done(null);
}
