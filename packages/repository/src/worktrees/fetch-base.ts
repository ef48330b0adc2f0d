import { done } from '@attractor/base';
import { runGit } from '@attractor/git';
import { mergedRef } from '../git/base-tip.ts';
import { classifyRemote } from '../git/classify-remote.ts';
import { branchTip, commitOf, commitsOf, isAncestor, mergeBaseOf } from '../git/commits.ts';
import { beganRef } from '../git/dropped-base.ts';
import { fetchMissing } from '../git/missing-objects.ts';
import { personRemoteOptions } from '../git/person-git.ts';
import { makeRefInFiles } from '../git/new-ref.ts';
import { findRemote, type Remote } from '../git/remote.ts';
import type { Result } from '@attractor/store';
import { git, type Repository } from '../git/repository.ts';

export type BaseRequest = {
  readonly repository: Repository;
  /** Names the refs that hold what was fetched, so that tasks that start at once do not interfere. */
  readonly taskId: string;
  readonly baseBranch: string;
  readonly branch: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** False: the project does not allow contacting its remote. */
  readonly mayTalk: boolean;
  readonly timeoutMs?: number;
};

/**
 * The current base. `base`: the commit to start from, null if there is no such branch here or there.
 * `branch`: what the remote has of the task's own branch. `problem`: why the remote could not be reached, in one line.
 */
export type FetchedBase = {
  readonly remote: string | null;
  readonly base: string | null;
  readonly branch: string | null;
  readonly isRewritten: boolean;
  readonly hasDiverged: boolean;
  readonly problem: string | null;
};

const TIMEOUT_MS = 30_000;

/** Asks the remote for the base branch and the task's own. Best effort: never prompts, never takes long, never moves a person's branch. */
export async function fetchBase(request: BaseRequest): Promise<FetchedBase> {
  const { repository, baseBranch, branch, taskId } = request;
  const refs = [baseRef(taskId), `refs/heads/${baseBranch}`, mergedRef(baseBranch)];
  const [before = null, here = null, waiting = null] = await commitsOf(repository, refs);
  const remote = request.mayTalk ? await findRemote(repository) : null;
  const fetched =
    remote === null
      ? null
      : await fetchRefs(request, remote, {
          [baseBranch]: remoteRef(taskId, 'base'),
          [branch]: remoteRef(taskId, 'branch'),
        });
  const names: ReadonlySet<string> = fetched?.ok === true ? fetched.value : new Set();
  const there = names.has(baseBranch) ? await commitOf(repository, remoteRef(taskId, 'base')) : null;
  // A person's unpushed commits count: the local branch is what they see.
  const isOurs = here !== null && (there === null || !(await isAncestor(repository, here, there)));
  const base = isOurs ? await withWaitingMerges(repository, here, waiting) : there;
  if (base !== null && base !== before) await noteBase(request, base);
  const pushed = names.has(branch) ? await commitOf(repository, remoteRef(taskId, 'branch')) : null;
  const whole = remote === null ? null : await fetchFiles(request, remote, [base, pushed]);
  return {
    remote: remote?.name ?? null,
    base,
    branch: pushed,
    isRewritten: before !== null && base !== null && !(await isAncestor(repository, before, base)),
    hasDiverged: isOurs && there !== null && !(await isAncestor(repository, there, here)),
    problem: fetched?.ok === false ? fetched.error.message : (whole?.message ?? null),
  };
}

/** In a partial clone: the files of what the work begins from, those of the branch as it is here, and those of where the two went apart. */
async function fetchFiles(
  request: BaseRequest,
  remote: Remote,
  found: ReadonlyArray<string | null>,
): Promise<{ readonly message: string } | null> {
  if (remote.isPromisor !== true) return null;
  const { repository, branch } = request;
  const commits = [...found, await branchTip(repository, branch)].filter((commit) => commit !== null);
  const [base] = commits;
  const apart = commits.map(async (commit) => (base === undefined ? null : mergeBaseOf(repository, base, commit)));
  const all = new Set([...commits, ...(await Promise.all(apart)).filter((commit) => commit !== null)]);
  if (all.size === 0) return null;
  const whole = await fetchMissing({ repository, remote, branch, talk: await talkOf(request) }, [...all]);
  return whole.ok ? null : whole.error;
}

async function talkOf({ env, repository, timeoutMs = TIMEOUT_MS, signal }: BaseRequest) {
  return { ...(await personRemoteOptions(env, repository.root)), timeoutMs, signal, cwd: repository.root };
}

/** What the task began from now, and that it once did. */
async function noteBase({ repository, taskId, baseBranch }: BaseRequest, base: string): Promise<void> {
  const refs: string[] = [];
  for (const ref of [baseRef(taskId), beganRef(taskId, { baseBranch, base })])
    if (!(await makeRefInFiles(repository.gitFolder, ref, base))) refs.push(ref);
  if (refs.length === 0) return;
  const stdin = refs.map((ref) => `update ${ref} ${base}\n`).join('');
  await git(['update-ref', '--stdin'], { cwd: repository.root, stdin });
}

/** Pending merges, until the person's checkout takes them: the next task starts with them. */
async function withWaitingMerges(repository: Repository, here: string, waiting: string | null): Promise<string> {
  return waiting !== null && (await isAncestor(repository, here, waiting)) ? waiting : here;
}

/** The base that the task last started from: shows whether its history was rewritten, and keeps it until then. */
function baseRef(taskId: string): string {
  return `refs/attractor/base/${taskId}`;
}

function remoteRef(taskId: string, which: 'base' | 'branch'): string {
  return `refs/attractor/remote/${taskId}/${which}`;
}

/** Fetches the branches that the remote has; returns their names. */
async function fetchRefs(
  request: BaseRequest,
  remote: Remote,
  into: Readonly<Record<string, string>>,
): Promise<Result<ReadonlySet<string>>> {
  const talk = await talkOf(request);
  const refuse = (said: string) => ({
    ok: false as const,
    error: {
      code: 'unavailable' as const,
      message: classifyRemote(said, { remote: remote.name, branch: request.baseBranch }).message,
    },
  });
  const names = Object.keys(into).map((name) => `refs/heads/${name}`);
  const asked = await runGit(['ls-remote', '--quiet', '--', remote.name, ...names], talk);
  if (asked.exitCode !== 0) return refuse(asked.stderr);
  const there = asked.stdout.split('\n').flatMap((line) => {
    const [commit = '', ref = ''] = line.split('\t');
    const name = ref.slice('refs/heads/'.length);
    const target = into[name];
    return target === undefined ? [] : [{ name, commit, target }];
  });
  const missing = await newOnes(request.repository, there);
  if (missing.length === 0) return done(new Set(there.map(({ name }) => name)));
  const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--refmap=', '--no-recurse-submodules'];
  const refs = missing.map(({ name, target }) => `+refs/heads/${name}:${target}`);
  const fetched = await runGit(['fetch', ...flags, '--', remote.name, ...refs], talk);
  return fetched.exitCode === 0 ? done(new Set(there.map(({ name }) => name))) : refuse(fetched.stderr);
}

type Remembered = { readonly name: string; readonly commit: string; readonly target: string };

/** Commits that are already here are only named, not fetched. */
async function newOnes(repository: Repository, refs: ReadonlyArray<Remembered>): Promise<ReadonlyArray<Remembered>> {
  const missing: Remembered[] = [];
  for (const ref of refs) {
    const named = (await commitOf(repository, ref.commit)) !== null;
    const kept = named && (await git(['update-ref', ref.target, ref.commit], { cwd: repository.root })).ok;
    if (!kept) missing.push(ref);
  }
  return missing;
}
