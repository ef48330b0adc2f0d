import { newId } from '@attractor/base/id';
import type { Artifact } from '../types/index.ts';
import { parseJson } from '../database/json.ts';
import type { PullRequestRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';
import { listProjectWork, updateArtifact } from './artifacts.ts';
import { unasked } from '../database/unasked.ts';

/**
 * A pull request that we keep, not a forge. `number` counts within the project and is never reused; at most one is open from one branch
 * into another. Merged is final.
 */
export type PullRequestRecord = {
  readonly id: string;
  readonly projectId: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: PullRequestRow['state'];
  readonly headBranch: string;
  readonly baseBranch: string;
  /** The head when it was merged; null before. */
  readonly headCommit: string | null;
  readonly mergeCommit: string | null;
  readonly comments: ReadonlyArray<RecordedComment>;
  readonly createdAt: string;
  readonly mergedAt: string | null;
};

export type RecordedComment = {
  readonly key: string;
  readonly author: string;
  readonly body: string;
  readonly at: string;
};

export type NewPullRequestRecord = Pick<
  PullRequestRecord,
  'projectId' | 'title' | 'body' | 'headBranch' | 'baseBranch'
> & { readonly state: 'open' | 'draft' };

/** The open one between the two branches, otherwise a new one. */
export async function ensurePullRequest(tx: Tx, wanted: NewPullRequestRecord): Promise<PullRequestRecord> {
  const known = await tx
    .selectFrom('pull_requests')
    .selectAll()
    .where('project_id', '=', wanted.projectId)
    .where('head_branch', '=', wanted.headBranch)
    .where('base_branch', '=', wanted.baseBranch)
    .where('state', 'in', ['open', 'draft'])
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  if (known !== undefined) return withText(tx, fromRow(known), wanted);
  const last = await tx
    .selectFrom('pull_requests')
    .select((select) => select.fn.max('number').as('number'))
    .where('project_id', '=', wanted.projectId)
    .executeTakeFirst();
  const row: PullRequestRow = {
    id: newId('pr'),
    project_id: wanted.projectId,
    number: (last?.number ?? 0) + 1,
    title: wanted.title,
    body: wanted.body,
    state: wanted.state,
    head_branch: wanted.headBranch,
    base_branch: wanted.baseBranch,
    head_commit: null,
    merge_commit: null,
    comments: '[]',
    created_at: transactionTime(tx),
    merged_at: null,
  };
  await unasked(tx.insertInto('pull_requests').values(row));
  return fromRow(row);
}

/** Work that went on is told as it is now. */
async function withText(tx: Tx, known: PullRequestRecord, { body }: NewPullRequestRecord): Promise<PullRequestRecord> {
  if (body === known.body) return known;
  await tx.updateTable('pull_requests').set({ body }).where('id', '=', known.id).execute();
  return { ...known, body };
}

export async function findPullRequest(
  db: Reader,
  projectId: string,
  number: number,
): Promise<PullRequestRecord | null> {
  const query = db.selectFrom('pull_requests').selectAll().where('project_id', '=', projectId);
  const row = await query.where('number', '=', number).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

/** Oldest first. */
export async function listPullRequests(db: Reader, projectId: string): Promise<ReadonlyArray<PullRequestRecord>> {
  const query = db.selectFrom('pull_requests').selectAll().where('project_id', '=', projectId);
  return (await query.orderBy('number').execute()).map(fromRow);
}

export async function setMerged(
  tx: Tx,
  id: string,
  merged: { readonly headCommit: string; readonly mergeCommit: string },
): Promise<void> {
  await tx
    .updateTable('pull_requests')
    .set({
      state: 'merged',
      head_commit: merged.headCommit,
      merge_commit: merged.mergeCommit,
      merged_at: transactionTime(tx),
    })
    .where('id', '=', id)
    .where('state', '!=', 'merged')
    .execute();
}

/** A branch that work is for has another name: ours are for that one now, and what tasks say about it is given back. */
export async function retargetPullRequests(
  tx: Tx,
  { projectId, from, to }: { readonly projectId: string; readonly from: string; readonly to: string },
): Promise<ReadonlyArray<Artifact>> {
  await tx
    .updateTable('pull_requests')
    .set({ base_branch: to })
    .where('project_id', '=', projectId)
    .where('base_branch', '=', from)
    .execute();
  const work = await listProjectWork(tx, projectId);
  const changed = work
    .filter(({ metadata }) => metadata['baseBranch'] === from)
    .map((one): Artifact => ({ ...one, metadata: { ...one.metadata, baseBranch: to } }));
  for (const one of changed) await updateArtifact(tx, one);
  return changed;
}

/** Adding the same key again changes nothing. */
export async function addComment(
  tx: Tx,
  record: PullRequestRecord,
  comment: Omit<RecordedComment, 'at'>,
): Promise<void> {
  if (record.comments.some(({ key }) => key === comment.key)) return;
  const comments = [...record.comments, { ...comment, at: transactionTime(tx) }];
  await tx
    .updateTable('pull_requests')
    .set({ comments: JSON.stringify(comments) })
    .where('id', '=', record.id)
    .execute();
}

function fromRow(row: PullRequestRow): PullRequestRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    number: row.number,
    title: row.title,
    body: row.body,
    state: row.state,
    headBranch: row.head_branch,
    baseBranch: row.base_branch,
    headCommit: row.head_commit,
    mergeCommit: row.merge_commit,
    comments: parseJson<ReadonlyArray<RecordedComment>>(row.comments, []),
    createdAt: row.created_at,
    mergedAt: row.merged_at,
  };
}
