import type { GitPerson } from '@attractor/git';
import {
  aboutPullRequests,
  addComment,
  ensurePullRequest,
  findPullRequest,
  listPullRequests,
  type Project,
  type PullRequestRecord,
  setMerged,
  type Store,
} from '@attractor/store';
import type { Repository } from '../git/repository.ts';
import { branchTip, commitsOf } from '../git/commits.ts';
import type { RemoteOptions } from '../git/person-git.ts';
import type { Remote } from '../git/remote.ts';
import { land } from '../landing/land.ts';
import { findMerged, mergedCommit } from '../landing/merged-commit.ts';
import { isOpen, type MergedPullRequest, type MergeRequest, type PullRequest, type Scm } from './scm.ts';
import { fail, type ScmResult } from '../git/outside-result.ts';

export type LocalScm = {
  readonly store: Store;
  readonly project: Project;
  readonly repository: Repository;
  readonly remote: Remote | null;
  readonly talk: RemoteOptions;
  readonly author: GitPerson;
};

/** Pull requests as our own records, with a plain git remote or none. We merge ourselves, here and at the remote. */
export function createLocalScm(local: LocalScm): Scm {
  const { store, project, repository } = local;
  const find = async (number: number): Promise<ScmResult<PullRequestRecord>> => {
    const record = await findPullRequest(store.read, project.id, number);
    return record === null
      ? fail('not_found', `${project.name} has no pull request ${number}.`)
      : { ok: true, value: record };
  };
  const shown = async (record: PullRequestRecord): Promise<PullRequest> =>
    toPullRequest(record, await headOf(local, record));
  return {
    type: 'local',
    isAvailable: async () => ({ available: true }),
    createPR: async (wanted) => {
      const tip = await branchTip(repository, wanted.headBranch);
      if (tip === null) return fail('not_found', `There is no branch "${wanted.headBranch}" in ${repository.root}.`);
      const record = await store.transact(
        (tx) => ensurePullRequest(tx, { ...wanted, projectId: project.id }),
        aboutPullRequests(project.id),
      );
      return { ok: true, value: toPullRequest(record, record.headCommit ?? tip) };
    },
    getPR: async (number) => {
      const found = await find(number);
      return found.ok ? { ok: true, value: await shown(found.value) } : found;
    },
    listPRs: async ({ state = 'open', headBranch } = {}) => {
      const records = await listPullRequests(store.read, project.id);
      const wanted = records.filter(
        (record) =>
          (state === 'all' || isOpen(record)) && (headBranch === undefined || record.headBranch === headBranch),
      );
      return { ok: true, value: await Promise.all(wanted.map(shown)) };
    },
    mergePR: async (merge) => {
      const found = await find(merge.number);
      return found.ok ? mergeRecord(local, found.value, merge) : found;
    },
    commentPR: async ({ number, key, body }) => {
      const found = await find(number);
      if (!found.ok) return found;
      await store.transact(async (tx) => {
        const record = await findPullRequest(tx, project.id, number);
        if (record !== null) await addComment(tx, record, { key, body, author: local.author.name });
      }, aboutPullRequests(project.id));
      return { ok: true, value: null };
    },
    getPRComments: async (number) => {
      const found = await find(number);
      return found.ok
        ? { ok: true, value: found.value.comments.map(({ author, body, at }) => ({ author, body, at })) }
        : found;
    },
    getRepoInfo: async () => ({
      ok: true,
      value: { name: project.name, url: local.remote?.url ?? null, defaultBranch: project.defaultBranch },
    }),
  };
}

async function headOf({ repository }: LocalScm, record: PullRequestRecord): Promise<string | null> {
  return record.headCommit ?? branchTip(repository, record.headBranch);
}

async function mergeRecord(
  local: LocalScm,
  record: PullRequestRecord,
  merge: MergeRequest,
): Promise<ScmResult<MergedPullRequest>> {
  if (record.state === 'merged')
    return { ok: true, value: { ...toPullRequest(record, record.headCommit), notice: null, baseCommit: null } };
  if (record.state === 'closed') return fail('conflict', `Pull request ${record.number} is closed: open another one.`);
  const refusal = await headProblem(local, record, merge);
  if (refusal !== null) return refusal;
  const { headCommit } = merge;
  const change = { ...local, ...record, ...merge, mark: markOf(record) };
  const landed = await land({
    ...change,
    make: (tip) => mergedCommit(change, tip),
    find: (tip) => findMerged(change, tip),
  });
  if (!landed.ok) return landed;
  const { commit, notice, before } = landed.value;
  const merged = await local.store.transact(async (tx) => {
    await setMerged(tx, record.id, { headCommit, mergeCommit: commit });
    return findPullRequest(tx, record.projectId, record.number);
  }, aboutPullRequests(record.projectId));
  return { ok: true, value: { ...toPullRequest(merged ?? record, headCommit), notice, baseCommit: before } };
}

async function headProblem(
  { repository }: LocalScm,
  { headBranch }: PullRequestRecord,
  { headCommit }: MergeRequest,
): Promise<ReturnType<typeof fail> | null> {
  const [known = null, tip = null] = await commitsOf(repository, [headCommit, `refs/heads/${headBranch}`]);
  if (known === null)
    return fail('not_found', `The commit ${headCommit.slice(0, 12)} of ${headBranch} is not in ${repository.root}.`);
  if (tip === null || tip === headCommit) return null;
  return fail(
    'conflict',
    `${headBranch} moved on to ${tip.slice(0, 12)} since the merge was asked for: look at what came, then merge again.`,
    { tip },
  );
}

function markOf({ id }: PullRequestRecord): string {
  return `Attractor-Pull-Request: ${id}`;
}

function toPullRequest(record: PullRequestRecord, headCommit: string | null): PullRequest {
  const { number, title, state, headBranch, baseBranch, mergeCommit, mergedAt } = record;
  return { number, url: null, title, state, headBranch, baseBranch, headCommit, mergeCommit, mergedAt };
}
