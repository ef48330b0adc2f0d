import { done } from '@attractor/base';
import { refuse, type Result } from '@attractor/store';
import { branchTip, mergeBaseOf } from '../git/commits.ts';
import { droppedBase } from '../git/dropped-base.ts';
import { fetchBranch } from '../git/remote.ts';
import { newestBase } from './branch-state.ts';
import { type Picture, readPicture } from './changed-picture.ts';
import { type FileLines, type LinesWanted, readFileLines } from './file-lines.ts';
import type { ProjectGit } from './open-scm.ts';
import { readFileDiffs, type TaskDiff } from './task-diff.ts';
import type { TaskPlace } from './task-place.ts';

const MAX_DIFF = 8 * 1024 * 1024;

/** What is on a task's branch and not on its base. */
export async function readBranchDiff(project: ProjectGit, place: TaskPlace): Promise<Result<TaskDiff>> {
  const range = await rangeOf(project, place);
  if (!range.ok) return range;
  const { branch, baseBranch } = place;
  return diffBetween(project, { branch, baseBranch, ...range.value });
}

export type PictureSide = { readonly path: string; readonly side: 'before' | 'after' };

/** One of the pictures in it, from either side. */
export async function readBranchPicture(
  project: ProjectGit,
  place: TaskPlace,
  { path, side }: PictureSide,
): Promise<Result<Picture>> {
  const range = await rangeOf(project, place);
  if (!range.ok) return range;
  const commit = side === 'before' ? range.value.from : range.value.to;
  return readPicture(project.repository.root, { commit, path });
}

/** Lines of a file as the branch has it now, also those that the diff leaves out. */
export async function readBranchLines(
  { repository }: ProjectGit,
  { branch }: TaskPlace,
  wanted: LinesWanted,
): Promise<Result<FileLines>> {
  const commit = await branchTip(repository, branch);
  if (commit === null) return refuse('not_found', `There is no branch "${branch}" in ${repository.root}.`);
  return readFileLines(repository.root, { ...wanted, commit });
}

type Range = { readonly from: string; readonly to: string };

async function rangeOf(project: ProjectGit, place: TaskPlace): Promise<Result<Range>> {
  const { branch, baseBranch } = place;
  const { root } = project.repository;
  const head = await branchTip(project.repository, branch);
  const base = await newestBase(project, baseBranch);
  if (head === null || base === null)
    return refuse('not_found', `There is no branch "${head === null ? branch : baseBranch}" in ${root}.`);
  const dropped = await droppedBase({ repository: project.repository, baseBranch, tip: base, head });
  // The merge leaves out the same.
  if (dropped !== null) return done({ from: dropped, to: head });
  const from = (await mergeBaseOf(project.repository, base, head)) ?? base;
  return done({ from: await wholeFrom(project, place, { from, to: head }), to: head });
}

/**
 * An agent can write the refs that say what the base is here: a part of its work that they call the base would be merged and not shown.
 * Where the branch does not leave the base where the work began, and we did not bring it there, the remote says what the base is.
 */
async function wholeFrom(
  { repository, remote, talk }: ProjectGit,
  { lastWork, updatedTo, baseBranch, pullRequest }: TaskPlace,
  { from, to }: Range,
): Promise<string> {
  const isMerged = pullRequest?.metadata['state'] === 'merged';
  if (lastWork === null || from === lastWork.from || to === updatedTo || isMerged) return from;
  const there = remote === null ? null : await fetchBranch({ repository, remote, branch: baseBranch, talk });
  const base = there?.ok === true ? there.value : null;
  if (base !== null) return (await mergeBaseOf(repository, base, to)) ?? from;
  // Somebody else may have brought it onto a newer base.
  return to === lastWork.to ? lastWork.from : from;
}

/** What changed between two commits of a branch. */
export async function diffBetween(
  { repository }: ProjectGit,
  { branch, baseBranch, from, to }: Pick<TaskDiff, 'branch' | 'baseBranch'> & Range,
): Promise<Result<TaskDiff>> {
  const read = await readFileDiffs(repository.root, { from, to, maxBytes: MAX_DIFF });
  if (!read.ok) return read;
  const { files, truncated } = read.value;
  const sum = (field: 'additions' | 'deletions'): number => files.reduce((total, file) => total + file[field], 0);
  const counts = { filesChanged: files.length, additions: sum('additions'), deletions: sum('deletions') };
  return done({ branch, baseBranch, baseCommit: from, headCommit: to, ...counts, files, truncated });
}
