import { git } from '../worktrees/repository.ts';

/**
 * Lets commands run in a checkout and puts back what they did to it: another commit or branch, changed files, new files that git does
 * not ignore. Work that lay there uncommitted before stays as it is, and so do changes to files that had some already.
 * Answers the files that were put back.
 */
export async function keepWorktree<Value>(
  folder: string,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly restored: ReadonlyArray<string> }> {
  const before = await look(folder);
  const value = await work();
  return { value, restored: before === null ? [] : await putBack(folder, before) };
}

type Seen = {
  readonly head: string;
  /** The branch, or null when none is checked out. */
  readonly ref: string | null;
  readonly changed: ReadonlySet<string>;
  readonly untracked: ReadonlySet<string>;
};

async function look(folder: string): Promise<Seen | null> {
  const head = await git(['rev-parse', 'HEAD'], { cwd: folder });
  const ref = await git(['symbolic-ref', '--quiet', 'HEAD'], { cwd: folder });
  const changed = await git(['diff', '--name-only', '--no-renames', '-z', 'HEAD'], { cwd: folder });
  const untracked = await git(['ls-files', '--others', '--exclude-standard', '-z'], { cwd: folder });
  if (!head.ok || !changed.ok || !untracked.ok) return null;
  return {
    head: head.value,
    ref: ref.ok ? ref.value : null,
    changed: namesOf(changed.value),
    untracked: namesOf(untracked.value),
  };
}

async function putBack(folder: string, before: Seen): Promise<ReadonlyArray<string>> {
  const after = await look(folder);
  if (after === null) return [];
  const restored = new Set<string>();
  if (after.ref !== before.ref || after.head !== before.head) {
    if (before.ref !== null) await git(['symbolic-ref', 'HEAD', before.ref], { cwd: folder });
    const back = before.changed.size === 0 ? '--hard' : '--mixed';
    await git(['reset', back, '--quiet', before.head], { cwd: folder });
    restored.add(`the commit ${before.head.slice(0, 9)}`);
  }
  const now = (await look(folder)) ?? after;
  const changed = [...now.changed].filter((name) => !before.changed.has(name));
  const added = [...now.untracked].filter((name) => !before.untracked.has(name) && !before.changed.has(name));
  await each(changed, (names) => git(['checkout', '--quiet', '--force', before.head, '--', ...names], { cwd: folder }));
  await each(added, (names) => git(['clean', '-fd', '--quiet', '--', ...names], { cwd: folder }));
  for (const name of [...changed, ...added]) restored.add(name);
  return [...restored];
}

const BATCH = 100;

async function each(
  names: ReadonlyArray<string>,
  act: (paths: ReadonlyArray<string>) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < names.length; at += BATCH)
    await act(names.slice(at, at + BATCH).map((name) => `:(top,literal)${name}`));
}

function namesOf(listed: string): ReadonlySet<string> {
  return new Set(listed.split('\0').filter((name) => name !== ''));
}
