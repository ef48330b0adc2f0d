import { done } from '@attractor/base';
import type { AgentRun, Artifact, NewArtifact } from '@attractor/store';
import { type DiffStat, readCommits, readDiffStat, statOf } from '../git/change.ts';
import type { Commit } from '../git/commits-in-files.ts';
import { haveSameFiles } from '../git/checked-out.ts';
import type { Worktree } from '../worktrees/worktree.ts';
import { type DiffText, readDiffText } from './task-diff.ts';
import { readUnifiedDiff } from './unified-diff.ts';

/** The branch as a run left it: `commits` are all that it has over its base. */
export type Change = {
  readonly branch: string;
  readonly baseBranch: string;
  readonly baseCommit: string;
  readonly head: string;
  readonly commits: ReadonlyArray<Commit>;
  readonly phaseId: string | null;
};

export type Collected = {
  readonly artifacts: ReadonlyArray<NewArtifact>;
  readonly problems: ReadonlyArray<string>;
  readonly change: Change | null;
};

/** The run whose work it is. `worktree` as it was when the run began. */
export type Worker = {
  readonly run: Pick<AgentRun, 'id' | 'taskId'>;
  readonly worktree: Worktree;
  readonly phaseId: string | null;
  /** The text of a change may hold secrets. */
  readonly redact: (text: string) => string;
};

/** The rest of a longer diff is read from git when it is needed. */
const MAX_DIFF = 128 * 1024;

/** Whether the branch differs from its base. */
export async function hasWork({ path: cwd, baseCommit }: Worktree, head: string): Promise<boolean> {
  return !(await haveSameFiles(cwd, baseCommit, head));
}

/** The branch, the commits of this run and the whole change over the base, as far as they can be read. */
export async function readWork(worker: Worker, head: string): Promise<Collected> {
  const { worktree, phaseId } = worker;
  const { path, branch, baseBranch, baseCommit } = worktree;
  const whole = { from: baseCommit, to: head };
  const own = await readCommits(path, { from: worktree.head, to: head });
  const all = worktree.head === baseCommit ? own : await readCommits(path, whole);
  const text = await readDiffText(path, { ...whole, maxBytes: MAX_DIFF });
  const stat = text.ok && isWholeStat(text.value) ? done(countLines(text.value)) : await readDiffStat(path, whole);
  const diff = text.ok ? text.value : { text: '', truncated: false };
  const artifacts = [
    artifactOf(worker, {
      key: `branch:${branch}`,
      type: 'branch',
      label: branch,
      metadata: { branchName: branch, baseBranch },
    }),
    ...(own.ok ? own.value : []).map((commit) => commitArtifact(worker, { ...commit, branch })),
    ...(stat.ok && stat.value.filesChanged > 0 ? [diffArtifact(worker, { stat: stat.value, head, diff })] : []),
  ];
  return {
    artifacts,
    problems: [own, all, stat, text].flatMap((read) => (read.ok ? [] : [read.error.message])),
    change: { branch, baseBranch, baseCommit, head, commits: all.ok ? all.value : [], phaseId },
  };
}

/** A diff that was cut does not tell all, and one of submodules tells more. */
function isWholeStat({ text, truncated }: DiffText): boolean {
  return !truncated && !text.includes('Subproject commit ');
}

function countLines({ text }: DiffText): DiffStat {
  return statOf(readUnifiedDiff(text).map(({ path, additions, deletions }) => ({ path, additions, deletions })));
}

function commitArtifact(worker: Worker, commit: Commit & { readonly branch: string }): NewArtifact {
  const label = `${commit.hash.slice(0, 9)} ${commit.message}`;
  return artifactOf(worker, { key: `commit:${commit.hash}`, type: 'commit', label, metadata: { ...commit } });
}

function diffArtifact(
  worker: Worker,
  { stat, head, diff }: { readonly stat: DiffStat; readonly head: string; readonly diff: DiffText },
): NewArtifact {
  const { additions, deletions, filesChanged } = stat;
  const { run, worktree, redact } = worker;
  return artifactOf(worker, {
    key: `diff:${run.id}`,
    type: 'diff',
    label: `+${additions} -${deletions} across ${filesChanged} ${filesChanged === 1 ? 'file' : 'files'}`,
    content: redact(diff.text),
    metadata: { ...stat, baseCommit: worktree.baseCommit, headCommit: head, truncated: diff.truncated },
  });
}

function artifactOf(
  { run, phaseId }: Pick<Worker, 'run' | 'phaseId'>,
  artifact: Pick<Artifact, 'key' | 'type' | 'label' | 'metadata'> & { readonly content?: string },
): NewArtifact {
  return { ...artifact, taskId: run.taskId, runId: run.id, url: null, phaseId };
}
