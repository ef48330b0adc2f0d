import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPerson } from '@attractor/git';
import { isTreeOf, mergeTrees } from '../git/commits.ts';
import { fail, type ScmResult } from '../git/outside-result.ts';
import { git, type Repository } from '../git/repository.ts';

/** What led from one commit to another, or only its part in some files. */
type Change = {
  readonly repository: Repository;
  readonly from: string;
  readonly to: string;
  /** Absent: all of them. */
  readonly files?: ReadonlyArray<string>;
  readonly author: GitPerson;
};

/** A change that is to be undone. */
export type Undoing = Change & {
  readonly message: string;
  /** Written into the commit, so that it can be found again. */
  readonly mark: string;
};

/**
 * A commit on top of a branch that undoes exactly one change; what came since stays. Three trees are merged: from the change's result to the
 * tip of now on one side, back to what was before it on the other.
 */
export async function undoneCommit(undoing: Undoing, tip: string): Promise<ScmResult<string>> {
  const { repository, author } = undoing;
  const tree = await treeWithout(undoing, tip);
  if (!tree.ok) return tree;
  if (await isTreeOf(repository, tip, tree.value))
    return fail('conflict', 'Nothing of that change is left: it has already been undone.');
  const message = `${undoing.message.trimEnd()}\n\n${undoing.mark}`;
  const commit = await git(['commit-tree', tree.value, '-p', tip, '-m', message], { cwd: repository.root, author });
  return commit.ok ? commit : fail(commit.error.code, commit.error.message);
}

/** Whether undoing it would change nothing any more. */
export async function isUndone(undoing: Change, tip: string): Promise<boolean> {
  const tree = await treeWithout(undoing, tip);
  return tree.ok && isTreeOf(undoing.repository, tip, tree.value);
}

/** What an earlier attempt put on the branch. */
export async function findUndone(
  { repository, mark, to }: Pick<Undoing, 'repository' | 'mark' | 'to'>,
  tip: string,
): Promise<string | null> {
  const args = ['log', '-1', '--format=%H', '--fixed-strings', `--grep=${mark}`, `${to}..${tip}`];
  const found = await git(args, { cwd: repository.root });
  return found.ok && found.value !== '' ? found.value : null;
}

async function treeWithout(undoing: Change, tip: string): Promise<ScmResult<string>> {
  const { repository, author, to } = undoing;
  const side = async (tree: string, parents: ReadonlyArray<string>): Promise<ScmResult<string>> => {
    const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', 'side'];
    const made = await git(args, { cwd: repository.root, author });
    return made.ok ? made : fail(made.error.code, made.error.message);
  };
  const before = await treeBefore(undoing);
  if (!before.ok) return before;
  const root = await side(`${to}^{tree}`, []);
  if (!root.ok) return root;
  const [ours, theirs] = [await side(`${tip}^{tree}`, [root.value]), await side(before.value, [root.value])];
  if (!ours.ok) return ours;
  if (!theirs.ok) return theirs;
  const tree = await mergeTrees(repository, ours.value, theirs.value);
  if (!tree.ok) return fail(tree.error.code, tree.error.message);
  if (tree.value.clean) return { ok: true, value: tree.value.tree };
  return fail(
    'conflict',
    `${tree.value.conflicts.join(', ')} changed again since: nothing was changed. Undo the later change first, or do it by hand.`,
    { conflicts: tree.value.conflicts },
  );
}

/** The tree that the change started from; with `files` its result, in which only these are as they were. */
async function treeBefore({ repository, from, to, files }: Change): Promise<ScmResult<string>> {
  if (files === undefined) return { ok: true, value: `${from}^{tree}` };
  const index = join(repository.gitFolder, `attractor-undo-${randomUUID()}`);
  const options = { cwd: repository.root, variables: { GIT_INDEX_FILE: index } };
  try {
    const read = await git(['read-tree', to], options);
    if (!read.ok) return fail(read.error.code, read.error.message);
    const paths = files.map((file) => `:(top,literal)${file}`);
    const old = await git(['ls-tree', '-r', '-z', '--full-tree', from, '--', ...files], { cwd: repository.root });
    if (!old.ok) return fail(old.error.code, old.error.message);
    const known = await git(['ls-files', '-z', '--', ...paths], options);
    if (!known.ok) return fail(known.error.code, known.error.message);
    const gone = known.value.split('\0').filter((name) => name !== '');
    const lines = [
      ...gone.map((name) => `0 ${'0'.repeat(40)}\t${name}\0`),
      ...old.value
        .split('\0')
        .filter((line) => line !== '')
        .map((line) => line.replace(/^(\d+) \w+ ([0-9a-f]+)\t/, '$1 $2\t'))
        .map((line) => `${line}\0`),
    ];
    if (lines.length === 0) return fail('not_found', `The change has nothing in ${files.join(', ')}.`);
    const set = await git(['update-index', '-z', '--index-info'], { ...options, stdin: lines.join('') });
    if (!set.ok) return fail(set.error.code, set.error.message);
    const tree = await git(['write-tree'], options);
    return tree.ok ? tree : fail(tree.error.code, tree.error.message);
  } finally {
    await rm(index, { force: true });
  }
}
