import {
  mkdirSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { git, makeRepository } from './git-world.ts';
import { makeFolder } from '@attractor/store/testing';

export type RemoteWorld = { readonly path: string; readonly bare: string };

/** A checkout whose `origin` is a bare repository on disk. Made once per process, then copied. */
export async function makeRemoteWorld(): Promise<RemoteWorld> {
  template ??= makeTemplate();
  const from = await template;
  const folder = makeFolder();
  cpSync(from, folder, { recursive: true });
  const config = join(folder, 'checkout', '.git', 'config');
  writeFileSync(config, readFileSync(config, 'utf8').replaceAll(from, folder));
  return { path: join(folder, 'checkout'), bare: join(folder, 'origin.git') };
}

let template: Promise<string> | null = null;

async function makeTemplate(): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-template-')));
  const [path, bare] = [join(folder, 'checkout'), join(folder, 'origin.git')];
  cpSync(await makeRepository(), path, { recursive: true });
  await git(path, 'init', '--quiet', '--bare', '-b', 'main', bare);
  await git(path, 'config', 'remote.origin.url', bare);
  await git(path, 'config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
  await git(path, 'push', '--quiet', 'origin', 'main');
  await git(path, 'fetch', '--quiet', 'origin');
  return folder;
}

/** Refuses every push from now on, as a server's rule would. */
export function refusePushes(bare: string, words: string): void {
  const hook = join(bare, 'hooks', 'pre-receive');
  mkdirSync(dirname(hook), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\necho '${words}' >&2\nexit 1\n`);
  chmodSync(hook, 0o755);
}

/** The file that names a process and a stage. The program at that stage kills the process and removes the file. */
export function killAfterPush(bare: string): string {
  const victim = join(makeFolder(), 'victim');
  const hook = join(bare, 'hooks', 'post-receive');
  mkdirSync(dirname(hook), { recursive: true });
  const lines = [
    '#!/bin/sh',
    'at=branch',
    'while read -r old new ref; do [ "$ref" = refs/heads/main ] && at=main; done',
    `[ -f ${victim} ] || exit 0`,
    `set -- $(cat ${victim})`,
    `[ "$2" = "$at" ] && rm ${victim} && kill -9 "$1"`,
    'exit 0',
  ];
  writeFileSync(hook, `${lines.join('\n')}\n`, { mode: 0o755 });
  return victim;
}

/** Another clone of the remote that pushes its own commit. */
export async function pushFromElsewhere(
  bare: string,
  change: { readonly branch: string; readonly file: string; readonly content: string },
): Promise<string> {
  const clone = join(makeFolder(), 'clone');
  await git(makeFolder(), 'clone', '--quiet', '--branch', change.branch, bare, clone);
  writeFileSync(join(clone, change.file), change.content);
  await git(clone, 'add', '--all');
  await git(clone, 'commit', '--quiet', '-m', `elsewhere: ${change.file}`);
  await git(clone, 'push', '--quiet', 'origin', change.branch);
  return git(clone, 'rev-parse', 'HEAD');
}

/** A branch with one commit, made without touching the checkout. */
export async function commitOnBranch(
  path: string,
  change: { readonly branch: string; readonly file: string; readonly content: string; readonly base?: string },
): Promise<string> {
  const folder = join(makeFolder(), 'work');
  const exists = await git(path, 'branch', '--list', change.branch);
  const start = exists === '' ? ['-b', change.branch, folder, change.base ?? 'main'] : [folder, change.branch];
  await git(path, 'worktree', 'add', '--quiet', ...start);
  writeFileSync(join(folder, change.file), change.content);
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '-m', `change ${change.file}`);
  const commit = await git(folder, 'rev-parse', 'HEAD');
  await git(path, 'worktree', 'remove', '--force', folder);
  return commit;
}

export type FakeGh = {
  readonly folder: string;
  /** Every call, in order. */
  readonly calls: () => ReadonlyArray<{
    readonly args: ReadonlyArray<string>;
    readonly stdin: string;
    readonly cwd: string;
    readonly names: ReadonlyArray<string>;
  }>;
  readonly put: (state: object) => void;
  readonly state: () => Record<string, unknown>;
};

/**
 * A stand-in for the `gh` program: it keeps pull requests in a file, speaks gh's JSON, records each call, and really merges in the bare
 * repository, as GitHub does on its side.
 */
export function makeFakeGh(bare: string, victim = '/nowhere'): FakeGh {
  const folder = makeFolder();
  const state = join(folder, 'state.json');
  const log = join(folder, 'calls.jsonl');
  writeFileSync(state, JSON.stringify({ requests: [], issues: [], refuse: {} }));
  writeFileSync(
    join(folder, 'gh'),
    `#!${process.execPath}\n${PROGRAM.replaceAll('@BARE@', bare).replaceAll('@FOLDER@', folder).replaceAll('@VICTIM@', victim)}`,
  );
  chmodSync(join(folder, 'gh'), 0o755);
  const read = (): Record<string, unknown> => JSON.parse(readFileSync(state, 'utf8'));
  return {
    folder,
    calls: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
    put: (change) => writeFileSync(state, JSON.stringify({ ...read(), ...change })),
    state: read,
  };
}

const PROGRAM = String.raw`
const { appendFileSync, readFileSync, unlinkSync, writeFileSync } = require('node:fs');
const { execFileSync } = require('node:child_process');
const args = process.argv.slice(2);
const stdin = readFileSync(0, 'utf8');
appendFileSync('@FOLDER@/calls.jsonl', JSON.stringify({ args, stdin, cwd: process.cwd(), names: Object.keys(process.env).sort() }) + '\n');
const state = JSON.parse(readFileSync('@FOLDER@/state.json', 'utf8'));
const save = () => writeFileSync('@FOLDER@/state.json', JSON.stringify(state));
const flag = (name) => args.find((arg) => arg.startsWith('--' + name + '='))?.slice(name.length + 3);
const fail = (text) => { process.stderr.write(text + '\n'); process.exit(1); };
const git = (...words) => execFileSync('git', ['--git-dir=@BARE@', ...words], { encoding: 'utf8', env: { ...process.env, GIT_AUTHOR_NAME: 'GitHub', GIT_AUTHOR_EMAIL: 'g@example.test', GIT_COMMITTER_NAME: 'GitHub', GIT_COMMITTER_EMAIL: 'g@example.test' }, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const tip = (branch) => { try { return git('rev-parse', '--verify', '--quiet', 'refs/heads/' + branch); } catch { return null; } };
const view = (request) => ({ ...request, headRefOid: request.state === 'OPEN' ? tip(request.headRefName) : request.headRefOid });
const what = args.slice(0, 2).join(' ');
if (state.refuse[what] !== undefined) fail(state.refuse[what]);
const find = () => state.requests.find((request) => String(request.number) === args[2]) ?? fail('GraphQL: Could not resolve to a PullRequest with the number of ' + args[2] + '. (repository.pullRequest)');
const commands = {
  'auth status': () => {},
  'pr list': () => {
    const fits = (request) => (flag('state') === 'all' || request.state === 'OPEN') && (flag('head') ?? request.headRefName) === request.headRefName && (flag('base') ?? request.baseRefName) === request.baseRefName;
    process.stdout.write(JSON.stringify(state.requests.filter(fits).map(view)));
  },
  'pr create': () => {
    if (tip(flag('head')) === null) fail("pull request create failed: GraphQL: Head sha can't be blank, Head ref must be a branch (createPullRequest)");
    if (state.requests.some((request) => request.state === 'OPEN' && request.headRefName === flag('head'))) fail('a pull request for branch "' + flag('head') + '" already exists');
    const number = state.requests.length + 1;
    const url = 'https://github.com/ada/slugs/pull/' + number;
    state.requests.push({ number, url, title: flag('title'), body: stdin, state: 'OPEN', isDraft: args.includes('--draft'), headRefName: flag('head'), baseRefName: flag('base'), headRefOid: null, mergeCommit: null, mergedAt: null, comments: [], reviews: [] });
    save();
    process.stdout.write(url + '\n');
  },
  'pr view': () => process.stdout.write(JSON.stringify(view(find()))),
  'pr ready': () => { find().isDraft = false; save(); },
  'pr edit': () => { find().body = stdin; save(); },
  'pr comment': () => { find().comments.push({ author: { login: 'ada' }, body: stdin, createdAt: new Date().toISOString() }); save(); },
  'pr merge': () => {
    const request = find();
    const head = tip(request.headRefName);
    if (request.isDraft) fail('GraphQL: Pull Request is still a draft (mergePullRequest)');
    if (head !== flag('match-head-commit')) fail('GraphQL: Head branch was modified. Review and try the merge again. (mergePullRequest)');
    const base = tip(request.baseRefName);
    let tree;
    try { tree = git('merge-tree', '--write-tree', base, head); } catch { fail('Pull request #' + request.number + ' is not mergeable: the merge commit cannot be cleanly created.'); }
    const commit = git('commit-tree', tree, '-p', base, '-m', flag('subject') + '\n\n' + stdin);
    git('update-ref', 'refs/heads/' + request.baseRefName, commit, base);
    Object.assign(request, { state: 'MERGED', headRefOid: head, mergeCommit: { oid: commit }, mergedAt: new Date().toISOString() });
    save();
  },
  'repo view': () => process.stdout.write(JSON.stringify({ nameWithOwner: 'ada/slugs', url: 'https://github.com/ada/slugs', defaultBranchRef: { name: 'main' } })),
  'issue list': () => process.stdout.write(JSON.stringify(state.issues.filter(({ state: of }) => of === 'OPEN'))),
  'issue view': () => process.stdout.write(JSON.stringify(state.issues.find(({ number }) => String(number) === args[2]) ?? fail('GraphQL: Could not resolve to an issue or pull request with the number of ' + args[2] + '. (repository.issue)'))),
};
(commands[what] ?? (() => fail('unknown command ' + what)))();
let marked = [];
try { marked = readFileSync('@VICTIM@', 'utf8').split(' '); } catch {}
if (marked.slice(1).join(' ') === what) { unlinkSync('@VICTIM@'); process.kill(Number(marked[0]), 'SIGKILL'); }
`;
