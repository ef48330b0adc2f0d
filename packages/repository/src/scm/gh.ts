import type { MergeMethod } from '@attractor/store';
import { callGh, type GhAnswer } from './gh-program.ts';
import { ghFailure } from './gh-failure.ts';
import {
  readComments,
  readIssue,
  readIssues,
  readPullRequest,
  readPullRequests,
  readRepository,
  readWrittenRequests,
} from './gh-json.ts';
import type { GithubSlug } from './github-slug.ts';
import { markOwn, retellOwn } from './own-part.ts';
import {
  isOpen,
  type MergedPullRequest,
  type MergeRequest,
  type NewPullRequest,
  type PullRequest,
  type Scm,
} from './scm.ts';
import { fail, type ScmResult } from '../git/outside-result.ts';

export type GhScm = {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** A folder outside any repository: gh reads the settings of the one it runs in. */
  readonly cwd: string;
  readonly repository: GithubSlug;
};

const PR_FIELDS = 'number,url,title,state,isDraft,headRefName,baseRefName,headRefOid,mergeCommit,mergedAt';
const ISSUE_FIELDS = 'number,title,body,url,labels,state';
const MAX_LISTED = 1_000;

type Ask = <Value>(
  args: ReadonlyArray<string>,
  read: (answer: string) => ScmResult<Value>,
  stdin?: string,
) => Promise<ScmResult<Value>>;

/** Pull requests and issues on GitHub, through the person's own `gh` program. */
export function createGhScm(gh: GhScm): Scm {
  const run = (args: ReadonlyArray<string>, stdin = ''): Promise<GhAnswer> => callGh({ ...gh, args, stdin });
  const at = `--repo=${gh.repository.slug}`;
  const ask: Ask = async (args, read, stdin) => {
    const answer = await run([...args, at], stdin);
    return answer.exitCode === 0 ? read(answer.stdout) : ghFailure(answer);
  };
  const getPR = (number: number): Promise<ScmResult<PullRequest>> =>
    ask(['pr', 'view', String(number), `--json=${PR_FIELDS}`], readPullRequest);
  return {
    type: 'gh',
    isAvailable: async () => {
      const answer = await run(['auth', 'status', `--hostname=${gh.repository.host}`]);
      return answer.exitCode === 0
        ? { available: true }
        : { available: false, reason: `gh is not logged in to ${gh.repository.host}: run "gh auth login".` };
    },
    createPR: (wanted) => createPR(ask, wanted),
    getPR,
    listPRs: ({ state = 'open', headBranch } = {}) =>
      ask(
        [
          'pr',
          'list',
          `--state=${state}`,
          `--limit=${MAX_LISTED}`,
          `--json=${PR_FIELDS}`,
          ...(headBranch === undefined ? [] : [`--head=${headBranch}`]),
        ],
        readPullRequests,
      ),
    mergePR: (merge) => mergePR(ask, merge),
    commentPR: async ({ number, key, body }) => {
      const mark = `<!-- attractor:${key} -->`;
      const known = await ask(['pr', 'view', String(number), '--json=comments,reviews'], readComments);
      if (!known.ok) return known;
      if (known.value.some((comment) => comment.body.includes(mark))) return { ok: true, value: null };
      return ask(['pr', 'comment', String(number), '--body-file=-'], nothing, `${body}\n\n${mark}\n`);
    },
    getPRComments: (number) => ask(['pr', 'view', String(number), '--json=comments,reviews'], readComments),
    getRepoInfo: async () => {
      const answer = await run(['repo', 'view', gh.repository.slug, '--json=nameWithOwner,url,defaultBranchRef']);
      return answer.exitCode === 0 ? readRepository(answer.stdout) : ghFailure(answer);
    },
    listIssues: () =>
      ask(['issue', 'list', '--state=open', `--limit=${MAX_LISTED}`, `--json=${ISSUE_FIELDS}`], readIssues),
    getIssue: (number) => ask(['issue', 'view', String(number), `--json=${ISSUE_FIELDS}`], readIssue),
  };
}

const nothing = (): ScmResult<null> => ({ ok: true, value: null });

async function createPR(ask: Ask, wanted: NewPullRequest): Promise<ScmResult<PullRequest>> {
  const before = await findOpen(ask, wanted);
  if (!before.ok) return before;
  if (before.value !== null) return retell(ask, before.value, wanted);
  const { headBranch, baseBranch, title, body, state } = wanted;
  const args = ['pr', 'create', `--head=${headBranch}`, `--base=${baseBranch}`, `--title=${title}`, '--body-file=-'];
  const created = await ask([...args, ...(state === 'draft' ? ['--draft'] : [])], nothing, markOwn(body));
  // If somebody else created it meanwhile, that is fine: what counts is that it exists.
  const after = await findOpen(ask, wanted);
  if (after.ok && after.value !== null) return { ok: true, value: after.value.request };
  if (!created.ok) return created;
  return after.ok ? fail('unavailable', "gh reported a pull request that can't be found: look at GitHub.") : after;
}

type Open = { readonly request: PullRequest; readonly body: string };

/** Work that went on is told as it is now; what people wrote around it stays. */
async function retell(ask: Ask, { request, body }: Open, wanted: NewPullRequest): Promise<ScmResult<PullRequest>> {
  const next = retellOwn(body, wanted.body);
  if (next === null) return { ok: true, value: request };
  const edited = await ask(['pr', 'edit', String(request.number), '--body-file=-'], nothing, next);
  return edited.ok ? { ok: true, value: request } : edited;
}

async function findOpen(ask: Ask, { headBranch, baseBranch }: NewPullRequest): Promise<ScmResult<Open | null>> {
  const fields = `--json=${PR_FIELDS},body`;
  const args = ['pr', 'list', '--state=open', `--head=${headBranch}`, `--base=${baseBranch}`, fields];
  const listed = await ask(args, readWrittenRequests);
  if (!listed.ok) return listed;
  const isAsked = ({ request }: Open) => request.headBranch === headBranch && request.baseBranch === baseBranch;
  return { ok: true, value: listed.value.find(isAsked) ?? null };
}

/** `gh` rebases where it can't fast-forward; its squash and merge are those of the forge. */
const METHODS: Readonly<Record<MergeMethod, string>> = { squash: '--squash', merge: '--merge', ff: '--rebase' };
const BY_THE_FORGE = { notice: null, baseCommit: null };

async function mergePR(ask: Ask, merge: MergeRequest): Promise<ScmResult<MergedPullRequest>> {
  const number = String(merge.number);
  const view = (): Promise<ScmResult<PullRequest>> =>
    ask(['pr', 'view', number, `--json=${PR_FIELDS}`], readPullRequest);
  const before = await view();
  if (!before.ok) return before;
  if (before.value.state === 'merged') return { ok: true, value: { ...before.value, ...BY_THE_FORGE } };
  if (!isOpen(before.value))
    return fail('conflict', `Pull request ${number} is closed: open it again, or make another one.`);
  if (before.value.state === 'draft') {
    const ready = await ask(['pr', 'ready', number], nothing);
    if (!ready.ok) return ready;
  }
  const [subject = '', ...rest] = merge.message.split('\n');
  const flags = [
    METHODS[merge.method],
    `--match-head-commit=${merge.headCommit}`,
    `--subject=${subject}`,
    '--body-file=-',
  ];
  const merged = await ask(['pr', 'merge', number, ...flags], nothing, rest.join('\n').trim());
  const after = await view();
  if (after.ok && after.value.state === 'merged') return { ok: true, value: { ...after.value, ...BY_THE_FORGE } };
  if (!merged.ok) return merged;
  return after.ok
    ? fail('blocked', `GitHub accepted the merge of ${number} but has not done it yet: look at its rules.`)
    : after;
}
