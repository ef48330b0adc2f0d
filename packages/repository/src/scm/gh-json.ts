import { isRecord } from '@attractor/base';
import type { Issue, PullRequest, PullRequestComment, PullRequestState, RepositoryInfo } from './scm.ts';
import { fail, type ScmResult } from '../git/outside-result.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Converts the output of `gh … --json` to our own shapes; an unexpected answer is a failure, never a guess. */
export function readPullRequest(answer: string): ScmResult<PullRequest> {
  return readOne(answer, toPullRequest);
}

export function readPullRequests(answer: string): ScmResult<ReadonlyArray<PullRequest>> {
  return readAll(answer, toPullRequest);
}

/** Each with its text. */
export function readWrittenRequests(
  answer: string,
): ScmResult<ReadonlyArray<{ readonly request: PullRequest; readonly body: string }>> {
  return readAll(answer, (fields) => {
    const request = toPullRequest(fields);
    return request === null ? null : { request, body: textOf(fields['body']) ?? '' };
  });
}

export function readIssue(answer: string): ScmResult<Issue> {
  return readOne(answer, toIssue);
}

export function readIssues(answer: string): ScmResult<ReadonlyArray<Issue>> {
  return readAll(answer, toIssue);
}

/** Comments, and reviews with a text. */
export function readComments(answer: string): ScmResult<ReadonlyArray<PullRequestComment>> {
  return readOne(answer, (fields) =>
    [...listOf(fields['comments']), ...listOf(fields['reviews'])]
      .map(toComment)
      .filter(({ body }) => body.trim() !== '')
      .toSorted((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : 1)),
  );
}

export function readRepository(answer: string): ScmResult<RepositoryInfo> {
  return readOne(answer, (fields) => {
    const name = textOf(fields['nameWithOwner']);
    const defaultBranch = textOf(fieldsOf(fields['defaultBranchRef'])['name']) ?? 'main';
    return name === null ? null : { name, url: textOf(fields['url']), defaultBranch };
  });
}

function readOne<Value>(answer: string, read: (fields: Fields) => Value | null): ScmResult<Value> {
  const value = read(fieldsOf(parse(answer)));
  return value === null ? unreadable(answer) : { ok: true, value };
}

function readAll<Value>(answer: string, read: (fields: Fields) => Value | null): ScmResult<ReadonlyArray<Value>> {
  const parsed = parse(answer);
  if (!Array.isArray(parsed)) return unreadable(answer);
  return { ok: true, value: parsed.flatMap((item: unknown) => read(fieldsOf(item)) ?? []) };
}

function parse(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return null;
  }
}

function unreadable(answer: string) {
  return fail(
    'unavailable',
    `gh gave an answer that can't be read: ${answer.slice(0, 200)}. Update gh, then try again.`,
  );
}

const STATES: Readonly<Record<string, PullRequestState>> = { OPEN: 'open', MERGED: 'merged', CLOSED: 'closed' };

function toPullRequest(fields: Fields): PullRequest | null {
  const { number } = fields;
  const state = STATES[textOf(fields['state']) ?? ''];
  const [headBranch, baseBranch] = [textOf(fields['headRefName']), textOf(fields['baseRefName'])];
  if (typeof number !== 'number' || state === undefined || headBranch === null || baseBranch === null) return null;
  return {
    number,
    url: textOf(fields['url']),
    title: textOf(fields['title']) ?? '',
    state: state === 'open' && fields['isDraft'] === true ? 'draft' : state,
    headBranch,
    baseBranch,
    headCommit: textOf(fields['headRefOid']),
    mergeCommit: textOf(fieldsOf(fields['mergeCommit'])['oid']),
    mergedAt: textOf(fields['mergedAt']),
  };
}

function toIssue(fields: Fields): Issue | null {
  const { number } = fields;
  const [title, url] = [textOf(fields['title']), textOf(fields['url'])];
  if (typeof number !== 'number' || title === null || url === null) return null;
  return {
    number,
    title,
    url,
    body: textOf(fields['body']) ?? '',
    labels: listOf(fields['labels']).flatMap((label) => textOf(label['name']) ?? []),
    state: fields['state'] === 'CLOSED' ? 'closed' : 'open',
  };
}

function toComment(fields: Fields): PullRequestComment {
  return {
    author: textOf(fieldsOf(fields['author'])['login']) ?? '',
    body: textOf(fields['body']) ?? '',
    at: textOf(fields['createdAt']) ?? textOf(fields['submittedAt']),
  };
}

function listOf(value: unknown): ReadonlyArray<Fields> {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? Object.fromEntries(Object.entries(value)) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
