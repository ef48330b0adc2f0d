import { done } from '@attractor/base';
import { readChange } from '@attractor/bundle';
import {
  branchTip,
  commitOf,
  git,
  newestBase,
  type Picture,
  type ProjectGit,
  readFileDiffs,
  readPicture,
  type TaskDiff,
  type TaskPlace,
} from '@attractor/repository';
import { findRun, refuse, type Result } from '@attractor/store';
import type { OfPicture } from './contract.ts';
import { onPlace, type ScmOptions } from './on-place.ts';

const MAX_DIFF = 8 * 1024 * 1024;

/** What is on a task's branch and not on its base. */
export async function readDiff(project: ProjectGit, place: TaskPlace): Promise<Result<TaskDiff>> {
  const range = await rangeOf(project, place);
  return range.ok ? diffBetween(project, { ...place, ...range.value }) : range;
}

/** One of the pictures in it, from either side. */
export async function taskPicture(
  project: ProjectGit,
  place: TaskPlace,
  { path, side }: OfPicture,
): Promise<Result<Picture>> {
  const range = await rangeOf(project, place);
  if (!range.ok) return range;
  const commit = side === 'before' ? range.value.from : range.value.to;
  return readPicture(project.repository.root, { commit, path });
}

async function rangeOf(project: ProjectGit, { branch, baseBranch }: TaskPlace): Promise<Result<Range>> {
  const { root } = project.repository;
  const head = await branchTip(project.repository, branch);
  const base = await newestBase(project, baseBranch);
  if (head === null || base === null)
    return refuse('not_found', `There is no branch "${head === null ? branch : baseBranch}" in ${root}.`);
  const forked = await git(['merge-base', base, head], { cwd: root });
  return done({ from: forked.ok ? forked.value : base, to: head });
}

/** What one run changed, whatever became of it. */
export async function runDiff(options: ScmOptions, runId: string): Promise<Result<TaskDiff>> {
  const run = await findRun(options.store.read, runId);
  if (run === null) return refuse('not_found', `There is no run ${runId}.`);
  return onPlace(options, { taskId: run.taskId }, async (project, place) => {
    const { branch, baseBranch, startCommit, headCommit } = await readChange({ store: options.store, run });
    if (startCommit === null || headCommit === null)
      return refuse('not_found', 'The run has changed nothing: it has not begun to work.');
    for (const commit of [startCommit, headCommit])
      if ((await commitOf(project.repository, commit)) === null)
        return refuse('not_found', `The commit ${commit.slice(0, 12)} is not in ${project.repository.root} any more.`);
    const on = { branch: branch ?? place.branch, baseBranch: baseBranch ?? place.baseBranch };
    return diffBetween(project, { ...on, from: startCommit, to: headCommit });
  });
}

type Range = { readonly from: string; readonly to: string };
type Between = Pick<TaskDiff, 'branch' | 'baseBranch'> & Range;

async function diffBetween(
  { repository }: ProjectGit,
  { branch, baseBranch, from, to }: Between,
): Promise<Result<TaskDiff>> {
  const read = await readFileDiffs(repository.root, { from, to, maxBytes: MAX_DIFF });
  if (!read.ok) return read;
  const { files, truncated } = read.value;
  const sum = (field: 'additions' | 'deletions'): number => files.reduce((total, file) => total + file[field], 0);
  const counts = { filesChanged: files.length, additions: sum('additions'), deletions: sum('deletions') };
  return done({ branch, baseBranch, baseCommit: from, headCommit: to, ...counts, files, truncated });
}
