import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script, ScriptStep } from '@attractor/adapters';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { openStore } from '@attractor/store';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PlatformOptions } from '../../platform.ts';
import { addTask, openTestPlatform, statusOf, until } from '../../test-support/world.ts';

const FILES = {
  'shared.txt': 'old\n',
  '.attractor/config.json': JSON.stringify({
    checks: { together: { command: 'test ! -e a.txt || test ! -e b.txt' } },
  }),
};

const does = (promptIncludes: string, ...steps: ReadonlyArray<ScriptStep>): Script => ({
  when: { outcome: 'pr_ready', promptIncludes },
  steps: [...steps, { do: 'outcome', outcome: 'pr_ready' }],
});

const write = (path: string, content: string): ScriptStep => ({ do: 'createFile', path, content });

const SCRIPTS = [
  does('the conflicts are marked', write('shared.txt', 'c and d\n')),
  does(
    'In two steps',
    write('a.txt', 'a\n'),
    write('more.txt', 'more\n'),
    { do: 'commit', message: 'first step' },
    write('shared.txt', 'new\n'),
    { do: 'commit', message: 'second step' },
  ),
  does('Write a', write('a.txt', 'a\n')),
  does('Draw', write('a.bin', 'a\0one\n')),
  does('Write b', write('b.txt', 'b\n')),
  does('Say c', write('shared.txt', 'c\n')),
  does('Say d', write('shared.txt', 'd\n')),
];

async function begin(titles: ReadonlyArray<string>) {
  const path = await makeRepository(FILES);
  const platform = await openTestPlatform({ scripts: SCRIPTS, concurrency: 4 });
  const { workflow, worker } = platform;
  const [first = '', ...more] = titles;
  const { task, project } = await addTask(platform, { path, title: first });
  const tasks = [task];
  for (const title of more) tasks.push(must(await workflow.createTask({ projectId: project.id, title }, PERSON)));
  for (const { id } of tasks) must(await workflow.transition({ taskId: id, to: 'implementing' }, PERSON));
  await worker.idle();
  const land = (taskId: string) => workflow.approve({ taskId, merge: true }, PERSON);
  return { platform, workflow, worker, path, land, ids: tasks.map(({ id }) => id) };
}

describe('an approval', () => {
  it('counts for the change that was shown: what came since is told and asked about anew, a newer base is not', async () => {
    const { workflow, path, land, ids } = await begin(['Write a', 'Say c']);
    const [a = '', c = ''] = ids;
    const asked = async (taskId: string) => (await workflow.listPrompts({ taskId, status: 'pending' }))[0];
    const shown = await asked(a);
    const worktree = join(path, '.agent-worktrees', a);
    await git(worktree, 'commit', '--quiet', '--allow-empty', '-m', 'Only words');
    writeFileSync(join(worktree, 'a.txt'), 'not what was shown\n');
    await git(worktree, 'commit', '--quiet', '--all', '-m', 'Slipped in');
    const late = await workflow.answerPrompt({ promptId: shown?.id ?? '', answer: { decision: 'approve' } }, PERSON);
    const now = await asked(a);
    expect(late).toMatchObject({ ok: false, error: { code: 'conflict', detail: { promptId: now?.id } } });
    for (const words of ['Slipped in', '+1 -1 across 1 files', `asked again as ${now?.key ?? '?'}`])
      expect(late.ok ? '' : late.error.message).toContain(words);
    expect(await land(a)).toMatchObject({ ok: true });

    must(await workflow.rebase({ taskId: c }, PERSON));
    expect(await asked(c)).toMatchObject({ status: 'pending' });
    expect(await land(c)).toMatchObject({ ok: true });
  });

  it('counts for nothing that comes while it is found out whether it can be merged', async () => {
    const { path, land, ids } = await begin(['Write a']);
    const [a = ''] = ids;
    const [worktree, tools] = [join(path, '.agent-worktrees', a), makeFolder()];
    const slip = `git -C '${worktree}' -c user.name=x -c user.email=x@x commit --quiet --allow-empty -m late`;
    const change = `echo late > '${worktree}/a.txt'; git -C '${worktree}' add --all; ${slip}`;
    const once = `case "$*" in *merge-tree*) mkdir '${tools}/did' 2>/dev/null && { ${change}; };; esac`;
    const real = `#!/bin/sh\ngit() { /usr/bin/git "$@"; }\n${once}\nexec /usr/bin/git "$@"\n`;
    writeFileSync(join(tools, 'git'), real, { mode: 0o755 });
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('PATH', `${tools}:${ENV.PATH}`);
    expect(await land(a)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(existsSync(join(tools, 'did'))).toBe(true);
    expect(await git(path, 'ls-tree', '--name-only', 'main', 'a.txt')).toBe('');
  });

  it('counts for the contents of a file that is shown by its name alone', async () => {
    const { path, land, ids } = await begin(['Draw']);
    const [a = ''] = ids;
    const worktree = join(path, '.agent-worktrees', a);
    writeFileSync(join(worktree, 'a.bin'), 'a\0two\n');
    await git(worktree, 'commit', '--quiet', '--all', '-m', 'Slipped in');
    expect(await land(a)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    await git(worktree, 'reset', '--quiet', '--hard', 'HEAD~1');
    await git(worktree, 'commit', '--quiet', '--amend', '-m', 'In other words');
    expect(await land(a)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await land(a)).toMatchObject({ ok: true });
    expect(await git(path, 'show', 'main:a.bin')).toBe('a\0one');
  });
});

describe('landing', () => {
  it('goes one after another, and each is proven on what the one before left; a merge can be taken back', async () => {
    const { platform, workflow, path, land, ids } = await begin(['Write a', 'Say c', 'Write b']);
    const [a = '', c = '', b = ''] = ids;
    const landed = await Promise.all([land(a), land(c)]);
    const commits = landed.map((one) => must(one).pullRequest?.metadata['mergeCommit']);
    expect((await git(path, 'log', '--format=%H', '-2')).split('\n').toSorted()).toEqual(commits.toSorted());

    const before = await git(path, 'rev-parse', 'main');
    const refused = await land(b);
    expect(refused).toMatchObject({
      ok: false,
      error: {
        code: 'blocked',
        message: expect.stringMatching(/"together" fails on the result of the merge/),
        detail: expect.anything(),
      },
    });
    expect([await git(path, 'rev-parse', 'main'), await git(path, 'status', '--porcelain')]).toEqual([before, '']);
    expect(existsSync(join(path, '.agent-worktrees', `${b}-merge`))).toBe(false);
    expect(await statusOf(platform, b)).toBe('done');
    const stateOf = async (id: string) => (await workflow.taskStates([id]))[0]?.state;
    expect(await stateOf(b)).toMatchObject({
      kind: 'accepted',
      detail: expect.stringContaining('"together" fails'),
      steps: [{ id: 'rebase' }, { id: 'merge' }, { id: 'reopen' }, { id: 'close' }],
    });
    expect((await stateOf(a))?.steps.map(({ id }) => id)).toContain('revert');

    const reverted = must(await workflow.revertMerge({ taskId: a }, PERSON));
    expect(await git(path, 'rev-parse', 'main')).toBe(reverted.metadata['revertCommit']);
    expect(await git(path, 'ls-files', 'a.txt', 'shared.txt')).toBe('shared.txt');
    expect(must(await workflow.revertMerge({ taskId: a }, PERSON))).toEqual(reverted);
    must(await workflow.mergePullRequest({ taskId: b }, PERSON));
    expect([(await stateOf(a))?.kind, (await stateOf(b))?.kind]).toEqual(['closed', 'merged']);
    expect(await git(path, 'show', 'main:b.txt')).toBe('b');
    expect(await git(path, 'status', '--porcelain')).toBe('');
  });

  it('waits for a process that may run the checks of the merge: one that may not says nothing about the work', async () => {
    const path = await makeRepository(FILES);
    const home = makeFolder();
    const open = (more: Partial<PlatformOptions>) => openTestPlatform({ home, scripts: SCRIPTS, ...more });
    const first = await open({});
    const { task } = await addTask(first, { path, title: 'Write a' });
    must(await first.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await first.worker.idle();
    await first.worker.close();
    writeFileSync(join(path, 'shared.txt'), 'newer\n');
    await git(path, 'commit', '--quiet', '--all', '-m', 'The base goes on');

    const refusing = await open({ concurrency: 0, confine: () => ({ kind: 'refused', message: 'Not here.' }) });
    const answer = await refusing.workflow.approve({ taskId: task.id, merge: true }, PERSON);
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('were not run: Not here.') } });
    const told = (await refusing.workflow.events({ taskId: task.id, limit: 1_000 })).map(({ summary }) => summary);
    expect(told.filter((summary) => /on the result of the merge/.test(summary))).toEqual([]);
    const store = must(await openStore({ home }));
    await store.transact((tx) => tx.updateTable('outbox').set({ not_before: 0 }).execute());
    await store.close();

    const next = await open({});
    await until(next, { taskId: task.id }, (events) => events.some(({ type }) => type === 'pr.merged'));
    expect(await git(path, 'show', 'main:a.txt')).toBe('a');
  });

  it('that conflicts is not begun; an agent resolves it, and the work is reviewed again', async () => {
    const { platform, workflow, worker, path, land, ids } = await begin(['Say c', 'Say d']);
    const [c = '', d = ''] = ids;
    must(await land(c));
    expect(await land(d)).toMatchObject({
      ok: false,
      error: {
        code: 'conflict',
        detail: { conflicts: ['shared.txt'] },
        message: expect.stringContaining('Let an agent resolve it'),
      },
    });
    expect(await statusOf(platform, d)).toBe('pr_review');
    const resolving = must(await workflow.resolveConflict({ taskId: d }, PERSON));
    expect(resolving).toMatchObject({
      update: { how: 'marked', conflicts: ['shared.txt'] },
      run: { mode: 'implement' },
    });
    await worker.idle();
    expect(await statusOf(platform, d)).toBe('pr_review');
    must(await land(d));
    expect([await git(path, 'show', 'main:shared.txt'), await statusOf(platform, d)]).toEqual(['c and d', 'done']);
    expect(await workflow.listPrompts({ taskId: d, status: 'pending' })).toEqual([]);
  });

  it('that was accepted says what is in its way, and only what an agent can resolve is offered to one', async () => {
    const { workflow, worker, path, land, ids } = await begin(['Say c', 'Say d', 'Write a', 'Write b']);
    const [c = '', d = '', a = '', b = ''] = ids;
    must(await land(c));
    for (const taskId of [d, a]) must(await workflow.approve({ taskId }, PERSON));
    const state = async (id: string) => (await workflow.taskStates([id]))[0]?.state;
    const steps = async (id: string) => (await state(id))?.steps.map((step) => step.id);
    expect(await workflow.mergePullRequest({ taskId: d }, PERSON)).toMatchObject({ ok: false });
    expect(await steps(d)).toEqual(['resolve', 'merge', 'reopen', 'close']);

    writeFileSync(join(path, 'a.txt'), 'mine\n');
    expect(await workflow.mergePullRequest({ taskId: a }, PERSON)).toMatchObject({ ok: false });
    expect(await steps(a)).toEqual(['put_aside', 'merge', 'reopen', 'close']);
    execFileSync('/bin/sh', ['-c', (await state(a))?.steps[0]?.command ?? ''], { env: ENV });
    must(await workflow.mergePullRequest({ taskId: a }, PERSON));
    expect([(await state(a))?.kind, await git(path, 'stash', 'list')]).toEqual(['merged', expect.stringMatching(/\S/)]);

    // Somebody else did the same meanwhile: a rebase leaves nothing that a merge could bring.
    writeFileSync(join(path, 'b.txt'), 'b\n');
    await git(path, 'rm', '--quiet', 'a.txt');
    await git(path, 'add', '--all');
    await git(path, 'commit', '--quiet', '-m', 'b by hand');
    must(await workflow.rebase({ taskId: b }, PERSON));
    const nothing = { ok: false, error: { message: expect.stringContaining('there is nothing to merge') } };
    expect(await land(b)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await land(b)).toMatchObject(nothing);
    must(await workflow.approve({ taskId: b }, PERSON));
    expect(await workflow.mergePullRequest({ taskId: b }, PERSON)).toMatchObject(nothing);
    expect([(await state(b))?.kind, await steps(b)]).toEqual(['accepted', ['reopen', 'close']]);
    expect(must(await workflow.reconcilePullRequests())).toEqual({ changed: 0 });
    expect((await state(b))?.kind).toBe('accepted');

    // The decision to merge was about other work than what the agent made of it.
    must(await workflow.resolveConflict({ taskId: d }, PERSON));
    await worker.idle();
    expect(await workflow.mergePullRequest({ taskId: d }, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'blocked', message: expect.stringContaining('not approved yet') },
    });
    must(await land(d));
    expect((await state(d))?.kind).toBe('merged');
  });

  it('leaves a way back: by file before the merge, by step and as a whole after it', async () => {
    const { workflow, path, land, ids } = await begin(['In two steps']);
    const [id = ''] = ids;
    const changes = must(await workflow.taskChanges({ taskId: id }));
    expect(changes.steps.map(({ step, title, files }) => [step, title, files.map((file) => file.path)])).toEqual([
      [1, 'first step', ['a.txt', 'more.txt']],
      [2, 'second step', ['shared.txt']],
    ]);
    const [run] = await workflow.listRuns({ taskId: id });
    expect(changes.steps.map(({ runId }) => runId)).toEqual([run?.id, run?.id]);
    const rollBack = (what: { readonly step?: number; readonly files?: ReadonlyArray<string> }) =>
      workflow.rollBack({ taskId: id, ...what }, PERSON);
    must(await rollBack({ files: ['a.txt'] }));
    expect(await git(path, 'ls-tree', '--name-only', changes.branch)).not.toContain('a.txt');
    expect(await git(join(path, '.agent-worktrees', id), 'status', '--porcelain')).toBe('');
    expect(await rollBack({ files: ['readme.md'] })).toMatchObject({ ok: false, error: { code: 'not_found' } });

    must(await land(id));
    expect([await git(path, 'show', 'main:shared.txt'), await git(path, 'show', 'main:more.txt')]).toEqual([
      'new',
      'more',
    ]);
    const undone = must(await rollBack({ step: 2 }));
    expect(undone).toMatchObject({ branch: 'main', commit: await git(path, 'rev-parse', 'main') });
    expect(await git(path, 'show', 'main:shared.txt')).toBe('old');
    expect(await rollBack({ step: 2 })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('undone') },
    });
    const kind = async () => (await workflow.taskStates([id]))[0]?.state.kind;
    expect(await kind()).toBe('merged');
    const last = must(await rollBack({ files: ['more.txt'] }));
    expect(await kind()).toBe('closed');
    expect(must(await workflow.revertMerge({ taskId: id }, PERSON)).metadata['revertCommit']).toBe(last.commit);
    expect([await git(path, 'diff', 'main', changes.baseCommit), await git(path, 'status', '--porcelain')]).toEqual([
      '',
      '',
    ]);
  });

  it('follows a base that was renamed and a folder that was moved, once that is said', async () => {
    const { platform, workflow, worker, path, land, ids } = await begin(['Write a', 'Say c']);
    const [a = '', c = ''] = ids;
    const project = (await workflow.listProjects())[0];
    const id = project?.id ?? '';
    await git(path, 'branch', '--move', 'main', 'trunk');
    expect(await land(a)).toMatchObject({
      error: { message: expect.stringContaining('projects update --default-branch') },
    });
    must(await workflow.updateProject(id, { defaultBranch: 'trunk' }, PERSON));
    must(await land(a));
    expect(await git(path, 'show', 'trunk:a.txt')).toBe('a');
    await git(path, 'branch', '--move', 'trunk', 'stem');
    must(await workflow.updateProject(id, { defaultBranch: 'stem' }, PERSON));
    must(await workflow.rollBack({ taskId: a }, PERSON));
    expect(await git(path, 'ls-tree', '--name-only', 'stem')).not.toContain('a.txt');

    const elsewhere = `${path}-moved`;
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    expect(await workflow.moveProject(id, elsewhere, PERSON)).toMatchObject({ error: { code: 'conflict' } });
    renameSync(path, elsewhere);
    expect(await land(c)).toMatchObject({ error: { message: expect.stringContaining('attractor projects move') } });
    expect(must(await workflow.moveProject(id, elsewhere, PERSON))).toMatchObject({ path: elsewhere });
    const [prompt] = await workflow.listPrompts({ taskId: c, status: 'pending' });
    const answer = { decision: 'changes', message: 'Once more' } as const;
    must(await workflow.answerPrompt({ promptId: prompt?.id ?? '', answer }, PERSON));
    await worker.idle();
    expect(await statusOf(platform, c)).toBe('pr_review');
    must(await land(c));
    expect(await git(elsewhere, 'show', 'stem:shared.txt')).toBe('c');
    expect(await git(elsewhere, 'status', '--porcelain')).toBe('');
  });
});
