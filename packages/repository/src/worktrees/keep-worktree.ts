import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseJson } from '@attractor/store';
import { placeLargeFiles } from '../git/large-objects.ts';
import { git } from '../git/repository.ts';

/** A checkout, and the file that records its state while commands run in it: after a crash the next process restores what they left. */
export type KeptPlace = { readonly folder: string; readonly note: string };

/**
 * Lets commands run in a checkout and restores what they changed: another commit or branch, changed files, new files that git does not
 * ignore. Earlier uncommitted work stays as it is, and so do changes to files that already had some. Returns the restored files, and the
 * commit that was checked out before.
 */
export async function keepWorktree<Value>(
  { folder, note }: KeptPlace,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly restored: ReadonlyArray<string>; readonly head: string | null }> {
  const before = await look(folder);
  if (before !== null) await writeNote(note, before);
  const value = await work();
  const restored = before === null ? [] : await putBack(folder, before);
  await rm(note, { force: true });
  return { value, restored, head: before?.head ?? null };
}

/** Restores what unfinished commands left. Does nothing if there were none. */
export async function putBackLeft({ folder, note }: KeptPlace): Promise<ReadonlyArray<string>> {
  const before = await readNote(note);
  const restored = before === null ? [] : await putBack(folder, before);
  await rm(note, { force: true });
  return restored;
}

type Seen = {
  readonly head: string;
  /** The branch, or null when none is checked out. */
  readonly ref: string | null;
  readonly changed: ReadonlySet<string>;
  readonly untracked: ReadonlySet<string>;
};

type Note = Pick<Seen, 'head' | 'ref'> & { readonly changed: string[]; readonly untracked: string[] };

/** Written atomically to disk before anything runs. */
async function writeNote(note: string, { head, ref, changed, untracked }: Seen): Promise<void> {
  await mkdir(dirname(note), { recursive: true, mode: 0o700 });
  const half = `${note}.half`;
  const seen: Note = { head, ref, changed: [...changed], untracked: [...untracked] };
  await writeFile(half, JSON.stringify(seen), { mode: 0o600, flush: true });
  await rename(half, note);
}

async function readNote(note: string): Promise<Seen | null> {
  const text = await readFile(note, 'utf8').catch(() => null);
  if (text === null) return null;
  const { head, ref, changed = [], untracked = [] } = parseJson<Partial<Note>>(text, {});
  if (head === undefined || !/^[0-9a-f]{40,64}$/.test(head)) return null;
  return { head, ref: ref ?? null, changed: new Set(changed), untracked: new Set(untracked) };
}

async function look(folder: string): Promise<Seen | null> {
  const flags = ['--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--no-renames'];
  const status = await git(['status', ...flags], { cwd: folder });
  const entries = status.ok ? status.value.split('\0') : [];
  const head = valueOf(entries, '# branch.oid ');
  const branch = valueOf(entries, '# branch.head ');
  if (head === undefined || head === '(initial)') return null;
  return {
    head,
    ref: branch === undefined || branch === '(detached)' ? null : `refs/heads/${branch}`,
    changed: new Set(entries.flatMap((entry) => CHANGED.exec(entry)?.[1] ?? [])),
    untracked: new Set(entries.filter((entry) => entry.startsWith('? ')).map((entry) => entry.slice(2))),
  };
}

/** A changed entry has eight fields before its path, an unmerged one ten. */
const CHANGED = /^(?:1(?: [^ ]+){7}|u(?: [^ ]+){9}) (.+)$/s;

function valueOf(entries: ReadonlyArray<string>, label: string): string | undefined {
  return entries.find((entry) => entry.startsWith(label))?.slice(label.length);
}

async function putBack(folder: string, before: Seen): Promise<ReadonlyArray<string>> {
  const after = await look(folder);
  if (after === null) return [];
  const restored = new Set<string>();
  const isMoved = after.ref !== before.ref || after.head !== before.head;
  if (isMoved) {
    if (before.ref !== null) await git(['symbolic-ref', 'HEAD', before.ref], { cwd: folder });
    const back = before.changed.size === 0 ? '--hard' : '--mixed';
    await git(['reset', back, '--quiet', before.head], { cwd: folder });
    restored.add(`the commit ${before.head.slice(0, 9)}`);
  }
  const now = (isMoved ? await look(folder) : null) ?? after;
  const changed = [...now.changed].filter((name) => !before.changed.has(name));
  const added = [...now.untracked].filter((name) => !before.untracked.has(name) && !before.changed.has(name));
  await each(changed, (names) => git(['checkout', '--quiet', '--force', before.head, '--', ...names], { cwd: folder }));
  await placeLargeFiles(folder, changed);
  await each(added, (names) => git(['clean', '-fd', '--quiet', '--', ...names], { cwd: folder }));
  for (const name of [...changed, ...added]) restored.add(name);
  return [...restored];
}

const BATCH = 100;

async function each(
  names: ReadonlyArray<string>,
  act: (paths: ReadonlyArray<string>) => Promise<unknown>,
): Promise<void> {
  const plain = names.filter((name) => !name.includes(NOT_READ));
  for (let at = 0; at < plain.length; at += BATCH)
    await act(plain.slice(at, at + BATCH).map((name) => `:(top,literal)${name}`));
  // By itself: git does nothing for others beside one that it does not find.
  for (const name of names.filter((one) => one.includes(NOT_READ))) await act([pathspecOf(name)]);
}

/** Stands for a byte that is no UTF-8. */
const NOT_READ = '\u{FFFD}';

/** Any byte may stand where one was not read as it is. */
function pathspecOf(name: string): string {
  return `:(top,glob)${name.replace(/[\\*?[\]]/g, String.raw`\$&`).replaceAll(NOT_READ, '?')}`;
}
