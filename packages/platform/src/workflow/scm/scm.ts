import { defined, done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import {
  branchTip,
  type BranchUpdate,
  commitOf,
  fetchBranch,
  findPlace,
  git,
  isOpenRequest,
  newestBase,
  type OfTask,
  openProjectGit,
  openScm,
  type Outbox,
  type ProjectGit,
  pullRequestText,
  readBranchState,
  readFileDiffs,
  reconcilePullRequests,
  type ScmServices,
  type TaskDiff,
  type TaskPlace,
  updateBranch,
} from '@attractor/repository';
import {
  type Actor,
  appendEvents,
  type Artifact,
  type Effect,
  type EffectWork,
  findArtifact,
  findProject,
  listEffects,
  listRuns,
  putEffect,
  refuse,
  refuseOnDatabaseError,
  type Result,
  type ReportedEvent,
} from '@attractor/store';
import type { ForgeInfo, OfMerge, ScmCommands } from './contract.ts';
import { importIssues, listIssues } from './import-issues.ts';

export type ScmOptions = ScmServices & { readonly outbox: Outbox };

export function createScmCommands(options: ScmOptions): ScmCommands {
  const { store } = options;
  const guarded = refuseOnDatabaseError;
  return {
    mergePullRequest: (of, actor) => guarded(() => mergePullRequest(options, of, actor)),
    pushBranch: (of, actor) => guarded(() => pushBranch(options, of, actor)),
    openPullRequest: (of, actor) => guarded(() => openPullRequest(options, of, actor)),
    branchState: (of) => guarded(() => onPlace(options, of, readBranchState)),
    rebase: (of, actor) => guarded(() => rebase(options, of, actor)),
    diff: (of) => guarded(() => onPlace(options, of, readDiff)),
    listEffects: (taskId) => listEffects(store.read, taskId),
    forge: (projectId) => guarded(() => forge(options, projectId)),
    listIssues: (projectId) => guarded(() => listIssues(options, projectId)),
    importIssues: (input, actor) => guarded(() => importIssues(options, input, actor)),
    reconcilePullRequests: (projectId) =>
      guarded(async () => done({ changed: await reconcilePullRequests(options, projectId) })),
  };
}

/** Runs with the place of a task and its repository on this machine. */
async function onPlace<Value>(
  options: ScmOptions,
  of: OfTask,
  work: (git: ProjectGit, place: TaskPlace) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const place = await findPlace(options.store.read, of);
  if (!place.ok) return place;
  const opened = await openProjectGit(options, place.value.project);
  return opened.ok ? work(opened.value, place.value) : opened;
}

async function mergePullRequest(
  options: ScmOptions,
  { method, ...of }: OfMerge,
  actor: Actor,
): Promise<Result<Artifact>> {
  return onPlace(options, of, async ({ repository }, place) => {
    const { pullRequest, task } = place;
    if (pullRequest === null)
      return refuse('not_found', 'The task has no pull request: let an agent finish the work first.');
    if (pullRequest.metadata['state'] === 'merged') return done(pullRequest);
    if (!isOpenRequest(pullRequest))
      return refuse('conflict', `${pullRequest.label} is closed: open it again, or make another one.`);
    const [running] = await listRuns(options.store.read, { taskId: task.id, status: 'running' });
    if (running !== undefined)
      return refuse('blocked', `An agent is working on this task (${running.id}): wait for it or stop it.`);
    const headCommit = await branchTip(repository, place.branch);
    const work = { kind: 'merge_pr', artifactId: pullRequest.id, headCommit, ...defined({ method }) } as const;
    const ended = await putAndSettle(options, place, { actor, effects: [{ key: `merge:${pullRequest.id}`, work }] });
    const refusal = refusalOf(ended);
    if (refusal !== null) return refusal;
    const merged = await findArtifact(options.store.read, pullRequest.id);
    return merged === null ? refuse('not_found', 'The pull request is gone.') : done(merged);
  });
}

async function pushBranch(options: ScmOptions, of: OfTask, actor: Actor): Promise<Result<ReadonlyArray<Effect>>> {
  return onPlace(options, of, async ({ repository, remote }, place) => {
    if (remote === null)
      return refuse('blocked', `${repository.root} has no remote to push to: add one with "git remote add origin …".`);
    const commit = await branchTip(repository, place.branch);
    if (commit === null) return refuse('not_found', `There is no branch "${place.branch}" in ${repository.root}.`);
    const push = { key: `push:${newId('ask')}`, work: { kind: 'push', branch: place.branch, commit } } as const;
    const left = (await listEffects(options.store.read, place.task.id)).filter((effect) =>
      isMissingRequest(effect, place),
    );
    const requests = left.flatMap(({ key, work }) => (work === null ? [] : [{ key, work }]));
    const ended = await putAndSettle(options, place, { actor, effects: [push, ...requests.slice(-1)] });
    return refusalOf(ended) ?? done(ended);
  });
}

/** A pull request that was not opened because its branch could not be pushed. */
function isMissingRequest({ work, state }: Effect, { branch, pullRequest }: TaskPlace): boolean {
  const wanted = pullRequest === null || !isOpenRequest(pullRequest);
  return wanted && state === 'failed' && work?.kind === 'create_pr' && work.headBranch === branch;
}

async function openPullRequest(options: ScmOptions, of: OfTask, actor: Actor): Promise<Result<Artifact>> {
  return onPlace(options, of, async ({ repository, remote }, place) => {
    const { task, project, branch, baseBranch, phase } = place;
    const commit = await branchTip(repository, branch);
    if (commit === null) return refuse('not_found', `There is no branch "${branch}" in ${repository.root}.`);
    const asked = newId('ask');
    const { git: choices } = project.config;
    const request: EffectWork = {
      kind: 'create_pr',
      headBranch: branch,
      baseBranch,
      title: task.title,
      body: pullRequestText({ task, commits: [], checks: [], template: choices?.prTemplate }),
      state: choices?.prDraft === true ? 'draft' : 'open',
      phaseId: phase?.id ?? null,
    };
    const effects = [
      ...(remote === null ? [] : [{ key: `push:${asked}`, work: { kind: 'push', branch, commit } as const }]),
      { key: `pr:${asked}`, work: request },
    ];
    const refusal = refusalOf(await putAndSettle(options, place, { actor, effects }));
    if (refusal !== null) return refusal;
    const found = await findPlace(options.store.read, of);
    const made = found.ok ? found.value.pullRequest : null;
    return made === null
      ? refuse('unavailable', 'No pull request came of it: look at the events of the task.')
      : done(made);
  });
}

type Asked = {
  readonly actor: Actor;
  readonly effects: ReadonlyArray<{ readonly key: string; readonly work: EffectWork }>;
};

async function putAndSettle(options: ScmOptions, { task }: TaskPlace, asked: Asked): Promise<ReadonlyArray<Effect>> {
  const ids = await options.store.transact(async (tx) => {
    const put: string[] = [];
    for (const { key, work } of asked.effects) {
      const needs = put.at(-1) ?? null;
      put.push(
        await putEffect(tx, { projectId: task.projectId, taskId: task.id, key, work, needs, actor: asked.actor }),
      );
    }
    return put;
  });
  return options.outbox.settle(ids);
}

function refusalOf(effects: ReadonlyArray<Effect>): ReturnType<typeof refuse> | null {
  const open = effects.find(({ state }) => state !== 'done');
  if (open === undefined) return null;
  if (open.state === 'failed') return refuse('blocked', open.error ?? 'It failed.', { effect: open });
  return refuse('unavailable', `${open.error ?? 'It takes long.'} It goes on by itself.`, { effect: open });
}

async function rebase(options: ScmOptions, of: OfTask, actor: Actor): Promise<Result<BranchUpdate>> {
  return onPlace(options, of, async (project, place) => {
    const { repository, remote, talk } = project;
    const { task, branch, baseBranch } = place;
    const [running] = await listRuns(options.store.read, { taskId: task.id, status: 'running' });
    if (running !== undefined)
      return refuse('blocked', `An agent is working on this task (${running.id}): wait for it or stop it.`);
    if (remote !== null) {
      const fetched = await fetchBranch({ repository, remote, branch: baseBranch, talk });
      if (!fetched.ok) return fetched;
    }
    const base = await newestBase(project, baseBranch);
    if (base === null) return refuse('not_found', `There is no branch "${baseBranch}" in ${repository.root}.`);
    const pushed = remote !== null && (await commitOf(repository, `refs/remotes/${remote.name}/${branch}`)) !== null;
    const updated = await updateBranch({ repository, branch, base, baseBranch, pushed, author: options.author });
    await tellUpdate(options, place, { updated, actor });
    return updated;
  });
}

async function tellUpdate(
  { store }: ScmOptions,
  { task, branch, baseBranch }: TaskPlace,
  { updated, actor }: { readonly updated: Result<BranchUpdate>; readonly actor: Actor },
): Promise<void> {
  const about = { projectId: task.projectId, taskId: task.id, actor };
  const event: ReportedEvent = updated.ok
    ? {
        type: 'branch.updated',
        summary: `${branch}: ${updated.value.how} with ${baseBranch}`,
        data: { branch, ...updated.value },
      }
    : {
        type: 'branch.conflicted',
        summary: updated.error.message,
        data: { branch, detail: updated.error.detail ?? null },
      };
  await store.transact((tx) => appendEvents(tx, [{ ...about, ...event }]));
}

const MAX_DIFF = 8 * 1024 * 1024;

async function readDiff(project: ProjectGit, { branch, baseBranch }: TaskPlace): Promise<Result<TaskDiff>> {
  const { root } = project.repository;
  const head = await branchTip(project.repository, branch);
  const base = await newestBase(project, baseBranch);
  if (head === null || base === null)
    return refuse('not_found', `There is no branch "${head === null ? branch : baseBranch}" in ${root}.`);
  const forked = await git(['merge-base', base, head], { cwd: root });
  const from = forked.ok ? forked.value : base;
  const read = await readFileDiffs(root, { from, to: head, maxBytes: MAX_DIFF });
  if (!read.ok) return read;
  const { files, truncated } = read.value;
  const sum = (field: 'additions' | 'deletions'): number => files.reduce((total, file) => total + file[field], 0);
  const counts = { filesChanged: files.length, additions: sum('additions'), deletions: sum('deletions') };
  return done({ branch, baseBranch, baseCommit: from, headCommit: head, ...counts, files, truncated });
}

async function forge(options: ScmOptions, projectId: string): Promise<Result<ForgeInfo>> {
  const project = await findProject(options.store.read, projectId);
  if (project === null) return refuse('not_found', `There is no project ${projectId}.`);
  const opened = await openProjectGit(options, project);
  if (!opened.ok) return opened;
  const scm = await openScm(options, opened.value);
  if (!scm.ok) return scm;
  const [availability, info] = [await scm.value.isAvailable(), await scm.value.getRepoInfo()];
  return done({ type: scm.value.type, availability, repository: info.ok ? info.value : null });
}
