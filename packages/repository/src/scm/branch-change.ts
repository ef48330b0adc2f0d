import { readDiffText } from './task-diff.ts';
import { git } from '../git/repository.ts';

type Range = { readonly from: string; readonly to: string };

const MOST_BYTES = 2 * 1024 * 1024;

/** By path: `A` added, `M` changed, `D` deleted; and the lines that were added. */
type BranchChange = { readonly files: ReadonlyMap<string, string>; readonly added: string };

/** The files that a branch changes, and the lines that it adds. Null if they can't be read. */
export async function readBranchChange(folder: string, range: Range): Promise<BranchChange | null> {
  const files = await readChangedFiles(folder, range);
  const text = await readDiffText(folder, { ...range, maxBytes: MOST_BYTES });
  if (files === null || !text.ok) return null;
  const added = text.value.text.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++ '));
  return { files, added: added.join('\n') };
}

export async function readChangedFiles(
  folder: string,
  { from, to }: Range,
): Promise<ReadonlyMap<string, string> | null> {
  const names = await git(['diff', '--name-status', '--no-renames', '-z', from, to], { cwd: folder });
  if (!names.ok) return null;
  const files = new Map<string, string>();
  const words = names.value.split('\0');
  for (let at = 0; at + 1 < words.length; at += 2) files.set(words[at + 1] ?? '', words[at] ?? '');
  return files;
}

/** The paths of all files of a commit. Null if they can't be read. */
export async function readFilesOf(folder: string, commit: string): Promise<ReadonlyArray<string> | null> {
  const names = await git(['ls-tree', '-r', '--name-only', '-z', '--full-tree', commit], { cwd: folder });
  return names.ok ? names.value.split('\0').filter((name) => name !== '') : null;
}
