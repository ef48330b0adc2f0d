import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '@attractor/adapters';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../../platform.ts';
import {
  ENV,
  git,
  makeFakeGh,
  makeRemoteWorld,
  makeRepository,
  pushFromElsewhere,
  refusePushes,
} from '@attractor/repository/testing';
import { IMPLEMENT } from '../../test-support/scripts.ts';
import { addTask, openTestPlatform, statusOf } from '../../test-support/world.ts';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import type { Artifact, Task } from '@attractor/store';

const REVIEW: Script = {
  when: { outcome: 'approved' },
  steps: [
    {
      do: 'outcome',
      outcome: 'changes_requested',
      payload: {
        summary: 'Not yet.',
        comments: [{ comment: 'Say why.', severity: 'critical', file: 'sum.sh', line: 1 }],
      },
    },
  ],
};

const SAID_WHY: Script = {
  when: { outcome: 'pr_ready', promptIncludes: 'Say why.' },
  steps: [
    { do: 'createFile', path: 'why.md', content: 'Because.\n' },
    { do: 'commit', message: 'Say why it adds' },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
};

async function implement(
  path: string,
  pipelineId = 'coding',
  more: Parameters<typeof openTestPlatform>[0] = {},
): Promise<{ readonly platform: Platform; readonly task: Task }> {
  const platform = await openTestPlatform({ scripts: [IMPLEMENT, REVIEW], ...more });
  const { task } = await addTask(platform, { path, pipelineId });
  const to = pipelineId === 'coding' ? 'implementing' : 'in_progress';
  must(await platform.workflow.transition({ taskId: task.id, to }, PERSON));
  await platform.worker.idle();
  return { platform, task };
}

const approveAndMerge = ({ workflow }: Platform, { id }: Task) => workflow.approve({ taskId: id, merge: true }, PERSON);

const artifactsOf = async (platform: Platform, task: Task, type: Artifact['type']): Promise<ReadonlyArray<Artifact>> =>
  (await platform.workflow.listArtifacts(task.id)).filter((artifact) => artifact.type === type);

const one = async (platform: Platform, task: Task, type: Artifact['type']): Promise<Artifact> => {
  const [first, ...more] = await artifactsOf(platform, task, type);
  if (first === undefined || more.length > 0) throw new Error(`${more.length + 1} artifacts of type ${type}`);
  return first;
};

const eventsOf = async (platform: Platform, task: Task, type: string) =>
  (await platform.workflow.events({ taskId: task.id, limit: 10_000 })).filter((event) => event.type === type);

describe('finished work', () => {
  it('is pushed, becomes a pull request, and is merged by the service alone', async () => {
    const { path, bare } = await makeRemoteWorld();
    const { platform, task } = await implement(path);
    const branch = await one(platform, task, 'branch');
    const name = String(branch.metadata['branchName']);
    const head = await git(path, 'rev-parse', name);
    expect(branch.metadata).toMatchObject({ baseBranch: 'main', remote: 'origin', pushedCommit: head });
    expect(await git(path, '--git-dir', bare, 'rev-parse', name)).toBe(head);
    expect((await one(platform, task, 'pull_request')).metadata).toMatchObject({
      scm: 'local',
      prNumber: 1,
      state: 'open',
      headBranch: name,
      baseBranch: 'main',
      headCommit: head,
    });
    expect((await one(platform, task, 'diff')).content).toContain('+echo $(( $1 + $2 ))');
    expect(await artifactsOf(platform, task, 'commit')).toHaveLength(2);
    expect((await platform.workflow.listEffects(task.id)).map(({ work, state }) => [work?.kind, state])).toEqual([
      ['push', 'done'],
      ['create_pr', 'done'],
    ]);

    const unapproved = await platform.workflow.mergePullRequest({ taskId: task.id }, PERSON);
    expect(unapproved).toMatchObject({
      ok: false,
      error: { code: 'blocked', message: expect.stringContaining('--merge') },
    });
    const merged = must(await approveAndMerge(platform, task)).pullRequest;
    if (merged === null) throw new Error('not merged');
    expect([merged.metadata['state'], await statusOf(platform, task.id)]).toEqual(['merged', 'done']);
    expect(must(await platform.workflow.mergePullRequest({ taskId: task.id }, PERSON))).toEqual(merged);
    expect(await git(path, '--git-dir', bare, 'log', '--format=%s', 'main')).toBe('Make sum add (#1)\nfirst');
    expect(await git(path, '--git-dir', bare, 'branch', '--list', name)).toBe('');
    expect(await eventsOf(platform, task, 'pr.merged')).toMatchObject([{ actor: PERSON }]);
    expect([await git(path, 'log', '--format=%H', '-1'), await git(path, 'status', '--porcelain')]).toEqual([
      merged.metadata['mergeCommit'],
      '',
    ]);
  });

  it('needs no remote: the pull request is ours, and its merge moves the checkout of the person forward', async () => {
    const path = await makeRepository();
    const { platform, task } = await implement(path);
    expect((await platform.workflow.listEffects(task.id)).map(({ work }) => work?.kind)).toEqual(['create_pr']);
    writeFileSync(join(path, 'sum.sh'), 'being written\n');
    expect(await approveAndMerge(platform, task)).toMatchObject({
      ok: false,
      error: { code: 'blocked', message: expect.stringContaining('changes in sum.sh that are not committed') },
    });
    expect([await git(path, 'log', '--format=%s'), await statusOf(platform, task.id)]).toEqual(['first', 'pr_review']);
    await git(path, 'checkout', '--', 'sum.sh');
    must(await platform.workflow.approve({ taskId: task.id }, PERSON));
    must(await platform.workflow.mergePullRequest({ taskId: task.id, method: 'merge' }, PERSON));
    const [merged] = await eventsOf(platform, task, 'pr.merged');
    const tip = await git(path, 'rev-parse', 'HEAD');
    expect(merged?.data).toMatchObject({ mergeCommit: tip, baseBranch: 'main', method: 'merge', notice: null });
    expect(await git(path, 'log', '--format=%s', '--first-parent')).toBe('Make sum add (#1)\nfirst');
    const { projectId } = task;
    const next = must(await platform.workflow.createTask({ projectId, title: 'The next one' }, PERSON));
    must(await platform.workflow.startAgent({ taskId: next.id, mode: 'review' }, PERSON));
    await platform.worker.idle();
    expect(await git(join(path, '.agent-worktrees', next.id), 'rev-parse', 'HEAD')).toBe(tip);
  });

  it('that is reworked goes into the same pull request, whose text is told anew once; each review is said on it', async () => {
    const { path, bare } = await makeRemoteWorld();
    const gh = makeFakeGh(bare);
    const person = makeFolder();
    writeFileSync(join(person, '.gitconfig'), `[url "${bare}"]\n\tinsteadOf = https://github.com/ada/slugs.git\n`);
    await git(path, 'config', 'remote.origin.url', 'https://github.com/ada/slugs.git');
    const env = { ...ENV, HOME: person, PATH: `${gh.folder}:${ENV.PATH}` };
    const { platform, task } = await implement(path, 'feature', { env, scripts: [SAID_WHY, IMPLEMENT, REVIEW] });
    expect(await statusOf(platform, task.id)).toBe('changes_requested');
    expect(await eventsOf(platform, task, 'pr.commented')).toHaveLength(1);
    const body = () => JSON.stringify(gh.state()['requests']);
    expect(body()).not.toContain('Say why it adds');
    must(await platform.workflow.transition({ taskId: task.id, to: 'in_progress' }, PERSON));
    await platform.worker.idle();
    expect(body()).toContain('Say why it adds');
    expect(gh.calls().filter(({ args }) => args[1] === 'edit')).toHaveLength(1);
    expect(await artifactsOf(platform, task, 'pull_request')).toHaveLength(1);
    expect(await eventsOf(platform, task, 'pr.commented')).toHaveLength(2);
    expect(await git(path, '--git-dir', bare, 'rev-list', '--count', 'main')).toBe('1');
  });
});

describe('work that nobody approved', () => {
  it('is not merged where it can not be approved either, and the steps that lead on have names of their own', async () => {
    const path = await makeRepository();
    const fails: Script = { when: { outcome: 'approved' }, steps: [{ do: 'error', message: 'no review today' }] };
    const { platform, task } = await implement(path, 'feature', { scripts: [IMPLEMENT, fails] });
    expect(await statusOf(platform, task.id)).toBe('failed');
    expect(await platform.workflow.mergePullRequest({ taskId: task.id }, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'blocked', message: expect.stringContaining('not approved yet, and in "failed" it can\'t be') },
    });
    expect(await git(path, 'rev-list', '--count', 'main')).toBe('1');
    const [stated] = await platform.workflow.taskStates([task.id]);
    const labels = stated?.state.steps.map(({ label }) => label) ?? [];
    expect(labels).toContain('Try again');
    expect(new Set(labels).size).toBe(labels.length);
  });
});

describe('a push that is refused', () => {
  it('by a rule of the remote leaves the work here and says what the remote said; asked again it goes', async () => {
    const { path, bare } = await makeRemoteWorld();
    refusePushes(bare, 'no agents on a Sunday');
    const { platform, task } = await implement(path);
    expect(await statusOf(platform, task.id)).toBe('pr_review');
    const [failed] = await eventsOf(platform, task, 'git.push_failed');
    expect(failed?.summary).toContain('A hook of origin refused the push');
    expect(failed?.summary).toContain('no agents on a Sunday');
    expect(await eventsOf(platform, task, 'agent.artifact_collection_failed')).toHaveLength(1);
    expect((await one(platform, task, 'pull_request')).metadata['state']).toBe('open');
    expect(await platform.workflow.pushBranch({ taskId: task.id }, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'blocked' },
    });
    rmSync(join(bare, 'hooks', 'pre-receive'));
    must(await platform.workflow.pushBranch({ taskId: task.id }, PERSON));
    const name = String((await one(platform, task, 'branch')).metadata['branchName']);
    expect(await git(path, '--git-dir', bare, 'rev-parse', name)).toBe(await git(path, 'rev-parse', name));
  });

  it('because others pushed to the branch is never forced', async () => {
    const { path, bare } = await makeRemoteWorld();
    const { platform, task } = await implement(path);
    const name = String((await one(platform, task, 'branch')).metadata['branchName']);
    const theirs = await pushFromElsewhere(bare, { branch: name, file: 'theirs.txt', content: 'theirs\n' });
    writeFileSync(join(path, '.agent-worktrees', task.id, 'ours.txt'), 'ours\n');
    await git(join(path, '.agent-worktrees', task.id), 'add', '--all');
    await git(join(path, '.agent-worktrees', task.id), 'commit', '--quiet', '-m', 'ours');
    const refused = await platform.workflow.pushBranch({ taskId: task.id }, PERSON);
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('Nothing is forced') } });
    expect(await git(path, '--git-dir', bare, 'rev-parse', name)).toBe(theirs);
    expect(await git(path, 'log', '-1', '--format=%s', name)).toBe('ours');
  });

  it('since the remote is gone names its address as the thing to correct; one that is away for a while is tried again', async () => {
    const { path, bare } = await makeRemoteWorld();
    rmSync(bare, { recursive: true });
    const { platform, task } = await implement(path);
    expect((await eventsOf(platform, task, 'git.push_failed'))[0]?.summary).toContain('git remote set-url origin');
    await git(path, 'config', 'remote.origin.url', 'http://127.0.0.1:9/slugs.git');
    const waiting = await platform.workflow.pushBranch({ taskId: task.id }, PERSON);
    expect(waiting).toMatchObject({
      ok: false,
      error: { code: 'unavailable', message: expect.stringContaining('continues by itself') },
    });
    expect(await eventsOf(platform, task, 'git.effect_retried')).toHaveLength(1);
  });
});

describe('a branch and its base', () => {
  it('are compared without touching either, brought up to date on request, and conflicts are named', async () => {
    const { path, bare } = await makeRemoteWorld();
    const { platform, task } = await implement(path);
    await pushFromElsewhere(bare, { branch: 'main', file: 'theirs.txt', content: 'theirs\n' });
    expect(must(await platform.workflow.rebase({ taskId: task.id }, PERSON)).how).toBe('merged');
    expect(must(await platform.workflow.branchState({ taskId: task.id }))).toMatchObject({
      ahead: 3,
      behind: 0,
      conflicts: [],
      pullRequest: { number: 1, state: 'open' },
    });
    expect(must(await platform.workflow.rebase({ taskId: task.id }, PERSON)).how).toBe('up to date');
    must(await platform.workflow.pushBranch({ taskId: task.id }, PERSON));
    const diff = must(await platform.workflow.diff({ taskId: task.id }));
    expect(
      diff.files.map(({ path: file, status, additions, deletions }) => [file, status, additions, deletions]),
    ).toEqual([
      ['notes.md', 'added', 1, 0],
      ['sum.sh', 'changed', 1, 1],
    ]);
    await pushFromElsewhere(bare, { branch: 'main', file: 'sum.sh', content: 'echo nothing\n' });
    const before = await git(path, 'rev-parse', diff.branch);
    expect(await platform.workflow.rebase({ taskId: task.id }, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'conflict', detail: { conflicts: ['sum.sh'] } },
    });
    expect(must(await platform.workflow.branchState({ taskId: task.id })).conflicts).toEqual(['sum.sh']);
    expect(await approveAndMerge(platform, task)).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('sum.sh') },
    });
    expect([await git(path, 'rev-parse', diff.branch), await statusOf(platform, task.id)]).toEqual([
      before,
      'pr_review',
    ]);
  });

  it('are rebased where nobody else has the branch, and left as they were where that conflicts', async () => {
    const path = await makeRepository();
    const { platform, task } = await implement(path);
    await git(path, 'commit', '--quiet', '--allow-empty', '-m', 'second');
    expect(must(await platform.workflow.rebase({ taskId: task.id }, PERSON)).how).toBe('rebased');
    const name = String((await one(platform, task, 'branch')).metadata['branchName']);
    expect(await git(path, 'log', '--format=%s', `${name}~2`)).toBe('second\nfirst');
    writeFileSync(join(path, 'sum.sh'), 'echo nothing\n');
    await git(path, 'commit', '--quiet', '--all', '-m', 'third');
    const before = await git(path, 'rev-parse', name);
    expect(await platform.workflow.rebase({ taskId: task.id }, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'conflict', detail: { conflicts: ['sum.sh'] } },
    });
    expect([
      await git(path, 'rev-parse', name),
      await git(join(path, '.agent-worktrees', task.id), 'status', '--porcelain'),
    ]).toEqual([before, '']);
  });

  it('that others merged are known as merged once, with a warning', async () => {
    const { path } = await makeRemoteWorld();
    const { platform, task } = await implement(path);
    const name = String((await one(platform, task, 'branch')).metadata['branchName']);
    expect(must(await platform.workflow.reconcilePullRequests())).toEqual({ changed: 0 });
    await git(path, 'merge', '--quiet', '--no-ff', '-m', 'by hand', name);
    expect(must(await platform.workflow.reconcilePullRequests())).toEqual({ changed: 1 });
    expect(must(await platform.workflow.reconcilePullRequests())).toEqual({ changed: 0 });
    expect((await one(platform, task, 'pull_request')).metadata['state']).toBe('merged');
    expect(await eventsOf(platform, task, 'pr.changed_outside')).toMatchObject([{ level: 'warning' }]);
  });
});

describe('issues', () => {
  it('of GitHub become tasks, each once', async () => {
    const { path, bare } = await makeRemoteWorld();
    const gh = makeFakeGh(bare);
    await git(path, 'config', 'remote.origin.url', 'git@github.com:ada/slugs.git');
    const issue = (number: number, state: string) => ({
      number,
      state,
      title: `Issue ${number}`,
      body: 'Text.',
      url: `https://github.com/ada/slugs/issues/${number}`,
      labels: [{ name: 'bug' }],
    });
    gh.put({ issues: [issue(1, 'OPEN'), issue(2, 'OPEN'), issue(3, 'CLOSED')] });
    const { workflow } = await openTestPlatform({ env: { ...ENV, PATH: `${gh.folder}:${ENV.PATH}` } });
    const project = must(await workflow.createProject({ path }, PERSON));
    expect(must(await workflow.forge(project.id))).toMatchObject({ type: 'gh', availability: { available: true } });
    expect(must(await workflow.listIssues(project.id))).toHaveLength(2);
    const some = must(await workflow.importIssues({ projectId: project.id, numbers: [2, 9], pipeline: 'bug' }, PERSON));
    expect(some.imported).toMatchObject([
      { title: 'Issue 2', pipelineId: 'bug', tags: ['bug'], sourceUrl: 'https://github.com/ada/slugs/issues/2' },
    ]);
    expect(some.refused).toMatchObject([{ number: 9 }]);
    const all = must(await workflow.importIssues({ projectId: project.id, numbers: 'all' }, PERSON));
    expect([all.imported.map(({ title }) => title), all.known.map(({ taskId }) => taskId)]).toEqual([
      ['Issue 1'],
      some.imported.map(({ id }) => id),
    ]);
    expect(await workflow.listTasks()).toHaveLength(2);
  });

  it('are refused with what to do where there is no GitHub', async () => {
    const { workflow } = await openTestPlatform();
    const project = must(await workflow.createProject({ path: await makeRepository() }, PERSON));
    expect(await workflow.listIssues(project.id)).toMatchObject({
      ok: false,
      error: { code: 'blocked', message: expect.stringContaining('no remote on GitHub') },
    });
  });
});
