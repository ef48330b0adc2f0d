import {
  appendEvents,
  type Artifact,
  findArtifact,
  findProject,
  findPullRequest,
  findTask,
  listOpenEffects,
  listOpenPullRequests,
  type Project,
  setMerged,
  updateArtifact,
} from '@attractor/store';
import { newestBase } from './branch-state.ts';
import { mergeThatHas } from '../git/merge-that-has.ts';
import { branchTip, commitOf } from '../git/commits.ts';
import { openProjectGit, openScm, type ProjectGit, type ScmServices } from './open-scm.ts';
import { ownCommits } from './own-commits.ts';
import { metadataOf, pullRequestOf } from './pull-request-artifact.ts';
import { isOpen, type PullRequest, type Scm } from './scm.ts';

/**
 * Checks the open pull requests of tasks: one that somebody else merged or closed is recorded as such, and reported once. Contacts each
 * forge once for each pull request; an unreachable one is checked the next time. Returns how many changed.
 */
export async function reconcilePullRequests(services: ScmServices, projectId?: string): Promise<number> {
  const { read } = services.store;
  const opened = new Map<string, ProjectGit | null>();
  let changed = 0;
  for (const { artifact, projectId: owner } of await listOpenPullRequests(read, projectId)) {
    const project = await findProject(read, owner);
    if (project === null) continue;
    if (!opened.has(owner)) opened.set(owner, await openOrNull(services, project));
    const git = opened.get(owner) ?? null;
    if (git !== null && (await reconcileOne(services, git, artifact))) changed += 1;
  }
  return changed;
}

async function openOrNull(services: ScmServices, project: Project): Promise<ProjectGit | null> {
  const git = await openProjectGit(services, project);
  return git.ok ? git.value : null;
}

async function reconcileOne(services: ScmServices, git: ProjectGit, artifact: Artifact): Promise<boolean> {
  const known = pullRequestOf(artifact);
  if (await isBeingMerged(services, artifact)) return false;
  const scm = known === null ? null : await openScm(services, git, known.scm);
  if (known === null || scm === null || !scm.ok) return false;
  const found = await scm.value.getPR(known.number);
  if (!found.ok) return false;
  const { taskId } = artifact;
  const request =
    known.scm === 'local' ? await lookInGit(services, git, { taskId, request: found.value }) : found.value;
  return isOpen(request) ? false : record(services, { artifactId: artifact.id, request, scm: known.scm });
}

/** We are merging it ourselves, and that effect reports the end. */
async function isBeingMerged({ store }: ScmServices, artifact: Artifact): Promise<boolean> {
  const open = await listOpenEffects(store.read, artifact.taskId);
  return open.some(({ work }) => work?.kind === 'merge_pr' && work.artifactId === artifact.id);
}

type Looked = { readonly taskId: string; readonly request: PullRequest };

/** One of our records counts as merged if the base has all of its commits, though nobody merged it here. */
async function lookInGit(services: ScmServices, git: ProjectGit, { taskId, request }: Looked): Promise<PullRequest> {
  const { repository, project } = git;
  if (!isOpen(request)) return request;
  const head = request.headCommit ?? (await branchTip(repository, request.headBranch));
  if (head === null || (await commitOf(repository, head)) === null) return request;
  const own = await ownCommits(services.store.read, taskId);
  const tips = [await newestBase(git, request.baseBranch), await branchTip(repository, request.baseBranch)];
  const found = await Promise.all(
    [...new Set(tips)].map(async (tip) => (tip === null ? null : mergeThatHas(repository, { commit: head, tip, own }))),
  );
  const mergeCommit = found.find((commit) => commit !== null) ?? null;
  if (mergeCommit === null) return request;
  const merged = await services.store.transact(async (tx) => {
    const stored = await findPullRequest(tx, project.id, request.number);
    if (stored !== null) await setMerged(tx, stored.id, { headCommit: head, mergeCommit });
    return findPullRequest(tx, project.id, request.number);
  });
  return { ...request, state: 'merged', headCommit: head, mergeCommit, mergedAt: merged?.mergedAt ?? null };
}

type Found = { readonly artifactId: string; readonly request: PullRequest; readonly scm: Scm['type'] };

/** Nothing is recorded if we merged it ourselves in the meantime. */
function record(services: ScmServices, { artifactId, request, scm }: Found): Promise<boolean> {
  return services.store.transact(async (tx) => {
    const known = await findArtifact(tx, artifactId);
    const task = known === null ? null : await findTask(tx, known.taskId);
    if (known === null || task === null || known.metadata['state'] === request.state) return false;
    // Whoever moved the base forward left no commit of the merge, whose parent would tell what was before.
    const how = request.mergeCommit !== null && request.mergeCommit === request.headCommit ? { mergeMethod: 'ff' } : {};
    const artifact = { ...known, metadata: { ...known.metadata, ...metadataOf(request, scm), ...how } };
    await updateArtifact(tx, artifact);
    const summary = `${known.label} was ${request.state} outside of Attractor: check whether the task is where it should be.`;
    await appendEvents(tx, [
      {
        projectId: task.projectId,
        taskId: task.id,
        type: 'pr.changed_outside',
        summary,
        data: { artifact },
        actor: { type: 'supervisor' },
      },
    ]);
    return true;
  });
}
