import { addArtifact, type NewArtifact } from '../store/artifacts.ts';
import { appendEvents } from '../store/events.ts';
import type { Tx } from '../store/store.ts';
import { findTask, updateTask } from '../store/tasks.ts';
import type { AgentRun, Artifact } from '../types/index.ts';
import { readCommits, readDiffStat } from '../worktrees/change.ts';
import { planText } from './plan-text.ts';
import { eventOf, resultOf, type RunContext, type StepOutcome, type StepResults } from './run-context.ts';

/** What the run leaves for people: the plan, the branch, its commits and the size of the change. Best effort: a failure is told and never fails the run. */
export async function collectArtifacts(context: RunContext): Promise<StepOutcome<StepResults['artifacts']>> {
  const { run } = context.state;
  const collected = await collect(context);
  return {
    result: { collected: collected.artifacts.length },
    events: collected.problems.map((problem) =>
      eventOf(context, {
        category: 'agent',
        type: 'agent.artifact_collection_failed',
        level: 'error',
        summary: `Some artifacts could not be collected: ${problem}`,
      }),
    ),
    commit: async (tx) => {
      if (run.mode === 'plan') await storePlan(context, tx);
      for (const artifact of collected.artifacts) await store(context, tx, artifact);
    },
  };
}

type Collected = { readonly artifacts: ReadonlyArray<NewArtifact>; readonly problems: ReadonlyArray<string> };

async function collect(context: RunContext): Promise<Collected> {
  const { run } = context.state;
  const { payload, talk } = resultOf(context, 'validate');
  if (run.mode === 'implement') return collectChange(context);
  const document =
    run.mode === 'design' || run.mode === 'investigate' ? planText({ payload, result: talk.result }) : null;
  if (document === null) return { artifacts: [], problems: [] };
  const docType = run.mode === 'design' ? 'technical_design' : 'analysis';
  return {
    artifacts: [
      artifactOf(run, {
        key: `document:${run.id}`,
        type: 'document',
        label: docType,
        metadata: { docType, content: document },
      }),
    ],
    problems: [],
  };
}

async function collectChange(context: RunContext): Promise<Collected> {
  const { run } = context.state;
  const { worktree } = resultOf(context, 'prepare');
  const { head } = resultOf(context, 'validate');
  const { path, branch, baseBranch, baseCommit } = worktree;
  const artifacts = [
    artifactOf(run, {
      key: `branch:${branch}`,
      type: 'branch',
      label: branch,
      metadata: { branchName: branch, baseBranch },
    }),
  ];
  const commits = await readCommits(path, `${worktree.head}..${head}`);
  const stat = await readDiffStat(path, { from: baseCommit, to: head });
  for (const commit of commits.ok ? commits.value : []) {
    artifacts.push(
      artifactOf(run, {
        key: `commit:${commit.hash}`,
        type: 'commit',
        label: `${commit.hash.slice(0, 9)} ${commit.message}`,
        metadata: { ...commit, branch },
      }),
    );
  }
  if (stat.ok && stat.value.filesChanged > 0) {
    const { additions, deletions, filesChanged } = stat.value;
    const label = `+${additions} -${deletions} across ${filesChanged} ${filesChanged === 1 ? 'file' : 'files'}`;
    artifacts.push(
      artifactOf(run, {
        key: `diff:${run.id}`,
        type: 'diff',
        label,
        metadata: { ...stat.value, baseCommit, headCommit: head },
      }),
    );
  }
  return { artifacts, problems: [commits, stat].flatMap((read) => (read.ok ? [] : [read.error.message])) };
}

function artifactOf(
  run: AgentRun,
  artifact: Pick<Artifact, 'type' | 'label' | 'metadata'> & { readonly key: string },
): NewArtifact {
  return { ...artifact, taskId: run.taskId, runId: run.id, url: null };
}

async function store(context: RunContext, tx: Tx, artifact: NewArtifact): Promise<void> {
  const added = await addArtifact(tx, artifact);
  if (added === null) return;
  const type = added.type === 'branch' ? 'branch.created' : 'artifact.added';
  await appendEvents(tx, [
    eventOf(context, { category: 'git', type, summary: `${added.type}: ${added.label}`, data: { artifact: added } }),
  ]);
}

async function storePlan(context: RunContext, tx: Tx): Promise<void> {
  const { payload, talk, outcome } = resultOf(context, 'validate');
  const plan = outcome === 'plan_complete' ? planText({ payload, result: talk.result }) : null;
  const task = await findTask(tx, context.task.id);
  if (plan === null || task === null) return;
  const changed = await updateTask(tx, task, { plan });
  if (changed !== null)
    await appendEvents(tx, [
      eventOf(context, {
        by: 'agent',
        category: 'edit',
        type: 'field.updated',
        summary: 'The plan was written',
        data: { task: changed, field: 'plan' },
      }),
    ]);
}
