import { planText } from '@attractor/pipeline';
import { createRedactor } from '@attractor/redact';
import {
  type Commit,
  type DiffStat,
  type DiffText,
  readCommits,
  readDiffStat,
  readDiffText,
} from '@attractor/repository';
import type { Artifact, NewArtifact } from '@attractor/store';
import { resultOf, type RunContext } from '../run-context/run-context.ts';

/** The branch as the run left it: `commits` are all that it has over its base. */
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

/** The rest of a longer diff is read from git when it is needed. */
const MAX_DIFF = 128 * 1024;

/** The branch, the commits of this run and the whole change over the base, as far as they can be read. */
export async function collectChange(context: RunContext, head: string): Promise<Collected> {
  const { worktree } = resultOf(context, 'prepare');
  const { path, branch, baseBranch, baseCommit } = worktree;
  const phaseId = phaseOf(context);
  const own = await readCommits(path, `${worktree.head}..${head}`);
  const all = worktree.head === baseCommit ? own : await readCommits(path, `${baseCommit}..${head}`);
  const stat = await readDiffStat(path, { from: baseCommit, to: head });
  const text = await readDiffText(path, { from: baseCommit, to: head, maxBytes: MAX_DIFF });
  const diff = text.ok ? text.value : { text: '', truncated: false };
  const artifacts = [
    artifactOf(context, {
      key: `branch:${branch}`,
      type: 'branch',
      label: branch,
      metadata: { branchName: branch, baseBranch },
    }),
    ...(own.ok ? own.value : []).map((commit) => commitArtifact(context, { ...commit, branch })),
    ...(stat.ok && stat.value.filesChanged > 0 ? [diffArtifact(context, { stat: stat.value, head, diff })] : []),
  ];
  return {
    artifacts,
    problems: [own, all, stat, text].flatMap((read) => (read.ok ? [] : [read.error.message])),
    change: { branch, baseBranch, baseCommit, head, commits: all.ok ? all.value : [], phaseId },
  };
}

/** What a designing or investigating agent wrote. */
export async function collectDocument(context: RunContext): Promise<Collected> {
  const { run } = context.state;
  const { payload, talk } = resultOf(context, 'validate');
  const content = planText({ payload, result: talk.result });
  if (content === null) return { artifacts: [], problems: [], change: null };
  const docType = run.mode === 'design' ? 'technical_design' : 'analysis';
  const document = {
    key: `document:${run.id}`,
    type: 'document',
    label: docType,
    content,
    metadata: { docType },
  } as const;
  return { artifacts: [artifactOf(context, document)], problems: [], change: null };
}

function phaseOf({ request }: RunContext): string | null {
  const { phaseId } = request.hookParams;
  return typeof phaseId === 'string' ? phaseId : null;
}

function commitArtifact(context: RunContext, commit: Commit & { readonly branch: string }): NewArtifact {
  const label = `${commit.hash.slice(0, 9)} ${commit.message}`;
  return artifactOf(context, { key: `commit:${commit.hash}`, type: 'commit', label, metadata: { ...commit } });
}

function diffArtifact(
  context: RunContext,
  { stat, head, diff }: { readonly stat: DiffStat; readonly head: string; readonly diff: DiffText },
): NewArtifact {
  const { additions, deletions, filesChanged } = stat;
  const { baseCommit } = resultOf(context, 'prepare').worktree;
  return artifactOf(context, {
    key: `diff:${context.state.run.id}`,
    type: 'diff',
    label: `+${additions} -${deletions} across ${filesChanged} ${filesChanged === 1 ? 'file' : 'files'}`,
    content: createRedactor({ secrets: context.services.secrets }).text(diff.text),
    metadata: { ...stat, baseCommit, headCommit: head, truncated: diff.truncated },
  });
}

function artifactOf(
  context: RunContext,
  artifact: Pick<Artifact, 'key' | 'type' | 'label' | 'metadata'> & { readonly content?: string },
): NewArtifact {
  const { run } = context.state;
  return { ...artifact, taskId: run.taskId, runId: run.id, url: null, phaseId: phaseOf(context) };
}
