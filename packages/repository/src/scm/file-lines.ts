import { done } from '@attractor/base';
import { runGit } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';

/** A piece of a text file, as a commit has it. `total`: how many lines the whole of it has. */
export type FileLines = {
  readonly commit: string;
  /** The number of the first of them, from 1. */
  readonly from: number;
  readonly lines: ReadonlyArray<string>;
  readonly total: number;
};

const MAX_BYTES = 8 << 20;

export type LinesWanted = { readonly path: string; readonly from: number; readonly count: number };

/** Reads what a diff leaves out between its parts. A piece that begins behind the end is empty. */
export async function readFileLines(
  cwd: string,
  { commit, path, from, count }: LinesWanted & { readonly commit: string },
): Promise<Result<FileLines>> {
  const read = await runGit(['cat-file', 'blob', `${commit}:${path}`], { cwd, maxOutputBytes: MAX_BYTES });
  if (read.exitCode !== 0) return refuse('not_found', `${path} does not exist.`);
  if (read.truncated) return refuse('blocked', `${path} is larger than ${MAX_BYTES >> 20} MB: it is not shown.`);
  if (read.stdout.includes('\0')) return refuse('blocked', `${path} is not text.`);
  const all = read.stdout.split('\n');
  if (all.at(-1) === '') all.pop();
  return done({ commit, from, lines: all.slice(from - 1, from - 1 + count), total: all.length });
}
