import { branchName, isOpenRequest, phaseBranchName, pullRequestText } from '@attractor/repository';
import {
  type Artifact,
  type EffectWork,
  findProject,
  lastJudgedPlan,
  listArtifacts,
  type Project,
  putEffect,
} from '@attractor/store';
import { currentPhase } from './phase-actions.ts';
import type { ActionContext } from './action.ts';

type Params = Readonly<Record<string, unknown>>;

/** Effects are only put into the outbox here; they are carried out after the transition is on disk, and their end is a separate event. */
export const SCM_ACTIONS = {
  merge_pr: async (context: ActionContext) =>
    merge(context, await openPr(context, ({ phaseId }) => phaseId === null, 'The task has no open pull request')),
  merge_final_pr: async (context: ActionContext) =>
    merge(
      context,
      await openPr(context, ({ phaseId }) => phaseId === null, 'The task has no open pull request for the whole of it'),
    ),
  merge_phase_pr: async (context: ActionContext) => {
    const phase = await currentPhase(context);
    await merge(
      context,
      await openPr(context, ({ phaseId }) => phaseId === phase.id, `Phase ${phase.name} has no open pull request`),
    );
  },
  create_task_branch: async (context: ActionContext) => {
    const { branch, baseBranch } = await branches(context);
    await put(context, `branch:${branch}`, { kind: 'create_branch', branch, baseBranch, phaseId: null });
  },
  create_branch: createBranch,
  create_worktree: async (context: ActionContext) => {
    const { branch, baseBranch } = await branches(context);
    await put(context, `worktree:${context.task.version}`, { kind: 'create_worktree', branch, baseBranch });
  },
  create_final_pr: createFinalPr,
} as const;

/** For the current phase if there is one, otherwise for the task. */
async function createBranch(context: ActionContext, params: Params): Promise<void> {
  const prefix = typeof params['prefix'] === 'string' ? params['prefix'] : undefined;
  const { branch, baseBranch } = await branches(context, prefix);
  const phase = await currentPhase(context).catch(() => null);
  const work =
    phase === null
      ? { branch, baseBranch, phaseId: null }
      : { branch: phaseBranchName(branch, phase), baseBranch: branch, phaseId: phase.id };
  await put(context, `branch:${work.branch}`, { kind: 'create_branch', ...work });
}

async function createFinalPr(context: ActionContext): Promise<void> {
  const { branch, baseBranch, project } = await branches(context);
  const { git } = project.config;
  const judged = await lastJudgedPlan(context.tx, context.task.id);
  await put(context, `final_pr:${context.task.version}`, {
    kind: 'create_pr',
    headBranch: branch,
    baseBranch,
    title: context.task.title,
    body: pullRequestText({ task: context.task, commits: [], checks: [], judged, template: git?.prTemplate }),
    state: git?.prDraft === true ? 'draft' : 'open',
    phaseId: null,
  });
}

async function branches(
  { tx, task }: ActionContext,
  prefix?: string,
): Promise<{ readonly branch: string; readonly baseBranch: string; readonly project: Project }> {
  const project = await findProject(tx, task.projectId);
  if (project === null) throw new Error('The project of the task is gone');
  const artifacts = await listArtifacts(tx, task.id);
  const own = artifacts.find(({ type, phaseId }) => type === 'branch' && phaseId === null);
  const base = own?.metadata['baseBranch'];
  const branch = branchName(task, own === undefined ? [] : [own], prefix ?? project.config.git?.branchPrefix);
  return { branch, baseBranch: typeof base === 'string' ? base : project.defaultBranch, project };
}

async function openPr(
  { tx, task }: ActionContext,
  fits: (artifact: Artifact) => boolean,
  missing: string,
): Promise<Artifact> {
  const artifacts = await listArtifacts(tx, task.id);
  const found = artifacts.findLast((artifact) => isOpenRequest(artifact) && fits(artifact));
  if (found === undefined) throw new Error(missing);
  return found;
}

/** Merges exactly what was reviewed: the head as it is known now. */
async function merge(context: ActionContext, { id, metadata }: Artifact): Promise<void> {
  const headCommit = typeof metadata['headCommit'] === 'string' ? metadata['headCommit'] : null;
  await put(context, `merge:${id}`, { kind: 'merge_pr', artifactId: id, headCommit });
}

async function put({ tx, task, actor, runId }: ActionContext, key: string, work: EffectWork): Promise<void> {
  await putEffect(tx, { projectId: task.projectId, taskId: task.id, runId, key, work, actor });
}
