import { commitOf } from '../git/commits.ts';
import { fetchBranch, pushCommit } from '../git/remote.ts';
import { dropCarried, fetchCarried } from '../worktrees/carry-remote.ts';
import { isOpenRequest } from '../scm/task-place.ts';
import { pushSubmodules } from '../submodules/hand-over.ts';
import {
  type Artifact,
  type EffectWork,
  findArtifactByKey,
  findRun,
  listArtifacts,
  type Tx,
  updateArtifact,
} from '@attractor/store';
import { type EffectContext, failed, nothingToDo, type Performed, tell } from './performed.ts';

type Push = Extract<EffectWork, { readonly kind: 'push' }>;

/** Pushes the branch as it was at the time of the decision. Never forced: if it is refused, everything stays here. */
export async function performPush(context: EffectContext, { branch, commit, only }: Push): Promise<Performed> {
  const { repository, remote, talk } = context.git;
  if (!(await isHere(context, { branch, commit })))
    return { outcome: 'elsewhere', reason: `The commit ${commit.slice(0, 12)} is not in ${repository.root}.` };
  if (remote === null) return nothingToDo({ remote: null });
  const to = { repository, remote, branch, talk };
  const there = only === 'if absent' ? await fetchBranch(to) : null;
  if (there?.ok === true && there.value !== null) return nothingToDo({ remote: remote.name, branch });
  const inner = await pushSubmodules(context.git, { branch, commit });
  if (!inner.ok) return failed(inner);
  const pushed = await pushCommit(to, commit);
  if (!pushed.ok) return failed(pushed);
  await dropIfEnded(context);
  return {
    outcome: 'done',
    result: { remote: remote.name, branch, commit },
    record: (tx) => recordPush(tx, context, { branch, commit, remote: remote.name }),
  };
}

/** The machine where it was made may be gone: then it is had from what the run carried, or from the branch that somebody pushed already. */
async function isHere(
  { services, effect, git }: EffectContext,
  { branch, commit }: Pick<Push, 'branch' | 'commit'>,
): Promise<boolean> {
  const { repository, remote, talk } = git;
  if ((await commitOf(repository, commit)) !== null) return true;
  if (services.store.dialect !== 'postgres' || remote === null) return false;
  if (effect.runId !== null) await fetchCarried({ repository, runId: effect.runId, talk });
  if ((await commitOf(repository, commit)) !== null) return true;
  await fetchBranch({ repository, remote, branch, talk });
  return (await commitOf(repository, commit)) !== null;
}

/** What a run carried was kept for this push. While it still runs, another machine may need it: then its end drops it. */
async function dropIfEnded({ services, effect, git }: EffectContext): Promise<void> {
  const { store } = services;
  const run = store.dialect !== 'postgres' || effect.runId === null ? null : await findRun(store.read, effect.runId);
  if (run === null || run.status === 'running') return;
  await dropCarried({ repository: git.repository, runId: run.id, talk: git.talk });
}

type Pushed = { readonly branch: string; readonly commit: string; readonly remote: string };

async function recordPush(tx: Tx, context: EffectContext, { branch, commit, remote }: Pushed): Promise<void> {
  const { taskId } = context.effect;
  const known = await findArtifactByKey(tx, taskId, `branch:${branch}`);
  const artifact = known === null ? null : { ...known, metadata: { ...known.metadata, remote, pushedCommit: commit } };
  if (artifact !== null) await updateArtifact(tx, artifact);
  await tell(tx, context, {
    type: 'commit.pushed',
    summary: `Pushed ${branch} to ${remote} at ${commit.slice(0, 12)}`,
    data: { branch, commit, remote, ...(artifact === null ? {} : { artifact }) },
  });
  for (const request of (await listArtifacts(tx, taskId)).filter((found) => follows(found, branch)))
    await movePullRequest(tx, context, { ...request, metadata: { ...request.metadata, headCommit: commit } });
}

function follows(artifact: Artifact, branch: string): boolean {
  return isOpenRequest(artifact) && artifact.metadata['headBranch'] === branch;
}

async function movePullRequest(tx: Tx, context: EffectContext, artifact: Artifact): Promise<void> {
  await updateArtifact(tx, artifact);
  const summary = `${artifact.label} is at ${String(artifact.metadata['headCommit']).slice(0, 12)}`;
  await tell(tx, context, { type: 'artifact.updated', summary, data: { artifact } });
}
