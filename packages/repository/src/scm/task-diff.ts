import { done } from '@attractor/base';
import { runGit } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';
import { movedSubmodules, readSubmoduleDiff } from '../submodules/submodule-diff.ts';
import { readPatch } from './range-patch.ts';
import { type FileDiff, readUnifiedDiff } from './unified-diff.ts';

/** `withMoves`: a file that was moved is one file, for people; for programs it is one that goes and one that comes. */
export type DiffRange = {
  readonly from: string;
  readonly to: string;
  readonly maxBytes: number;
  readonly withMoves?: boolean;
};

export type DiffText = { readonly text: string; readonly truncated: boolean };

/** The text of a diff, truncated at a whole line within the bound. */
export async function readDiffText(cwd: string, range: DiffRange): Promise<Result<DiffText>> {
  const { from, to, maxBytes, withMoves = false } = range;
  const flags = ['-p', withMoves ? '--find-renames' : '--no-renames', '--unified=3'];
  const args = ['diff-tree', '-r', ...flags, '--end-of-options', from, to];
  const read = withMoves
    ? await runGit(args, { cwd, maxOutputBytes: maxBytes * 4 })
    : await readPatch(cwd, { from, to, maxBytes: maxBytes * 4 });
  if (read.exitCode !== 0) return refuse('unavailable', `The change could not be read: ${read.stderr.trim()}`);
  let [text, truncated] = [read.stdout, read.truncated];
  const moves = truncated ? [] : [...(await movedSubmodules(cwd, text))];
  for (const move of moves) {
    const inside = await readSubmoduleDiff(cwd, move, { flags, maxBytes: maxBytes * 4 });
    text += inside.text;
    moves.push(...(await movedSubmodules(cwd, inside.text)));
    truncated ||= inside.truncated;
  }
  if (text.length <= maxBytes && !truncated) return done({ text, truncated: false });
  const cut = text.slice(0, maxBytes);
  return done({ text: cut.slice(0, cut.lastIndexOf('\n') + 1), truncated: true });
}

/** A change for people: files with their hunks. `truncated`: more changed than is shown here. */
export type TaskDiff = {
  readonly branch: string;
  readonly baseBranch: string;
  readonly baseCommit: string;
  readonly headCommit: string;
  readonly filesChanged: number;
  readonly additions: number;
  readonly deletions: number;
  readonly files: ReadonlyArray<FileDiff>;
  readonly truncated: boolean;
};

export async function readFileDiffs(
  cwd: string,
  range: DiffRange,
): Promise<Result<{ readonly files: ReadonlyArray<FileDiff>; readonly truncated: boolean }>> {
  const read = await readDiffText(cwd, { ...range, withMoves: true });
  return read.ok ? done({ files: readUnifiedDiff(read.value.text), truncated: read.value.truncated }) : read;
}
