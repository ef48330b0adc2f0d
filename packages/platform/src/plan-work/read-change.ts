import type { WorkSeen } from '@attractor/pipeline';
import { git, readDiffText } from '@attractor/repository';

type Range = { readonly from: string; readonly to: string };

const MOST_BYTES = 2 * 1024 * 1024;

/** The files that a branch changes, and the lines that it adds. Null if they can't be read. */
export async function readChange(
  folder: string,
  { from, to }: Range,
): Promise<Pick<WorkSeen, 'files' | 'added'> | null> {
  const names = await git(['diff', '--name-status', '--no-renames', '-z', from, to], { cwd: folder });
  const text = await readDiffText(folder, { from, to, maxBytes: MOST_BYTES });
  if (!names.ok || !text.ok) return null;
  const files = new Map<string, string>();
  const words = names.value.split('\0');
  for (let at = 0; at + 1 < words.length; at += 2) files.set(words[at + 1] ?? '', words[at] ?? '');
  const added = text.value.text.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++ '));
  return { files, added: added.join('\n') };
}
