import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script, ScriptStep } from '@attractor/adapters';
import { runs } from '@attractor/base/testing';
import { git, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { describe, expect, it } from 'vitest';
import { addTask, openTestPlatform } from '../test-support/world.ts';

const FILES = runs(2_000, 20_000);
const write = (path: string, content: string): ScriptStep => ({ do: 'createFile', path, content });
const script = (...steps: ReadonlyArray<ScriptStep>): Script => ({
  when: { outcome: 'pr_ready' },
  steps: [...steps, { do: 'outcome', outcome: 'pr_ready' }],
});

async function begin(path: string, scripts: ReadonlyArray<Script>) {
  const platform = await openTestPlatform({ scripts });
  const { workflow, worker } = platform;
  const { task, project } = await addTask(platform, { path, title: 'Change it' });
  const run = async () => {
    must(await workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await worker.idle();
    const [last] = await workflow.listRuns({ taskId: task.id });
    if (last === undefined) throw new Error('There is a run');
    return last;
  };
  const land = () => workflow.approve({ taskId: task.id, merge: true }, PERSON);
  const told = async (type: string) =>
    (await workflow.events({ taskId: task.id })).filter((event) => event.type === type).map(({ summary }) => summary);
  return { workflow, task, project, run, land, told };
}

/** A repository of so many files, made by git alone. */
async function makeLarge(): Promise<string> {
  const path = await makeRepository({ 'a.txt': 'a\n' });
  const lines = [
    'commit refs/heads/main',
    'committer Ada <ada@example.test> 1700000000 +0000',
    'data 4',
    'many',
    'from refs/heads/main^0',
  ];
  for (let index = 0; index < FILES; index += 1) {
    const content = `file ${index}\n`;
    lines.push(`M 100644 inline src/part${index % 100}/file${index}.txt`, `data ${content.length}`, content);
  }
  execFileSync('git', ['fast-import', '--quiet'], { cwd: path, input: `${lines.join('\n')}\n` });
  await git(path, 'reset', '--quiet', '--hard');
  return path;
}

it(`a repository of ${FILES} files is worked on from a task to its merge`, async () => {
  const path = await makeLarge();
  const begun = performance.now();
  const { run, land, workflow, task } = await begin(path, [
    script(
      { do: 'modifyFile', path: 'src/part7/file7.txt', find: 'file 7', replace: 'changed' },
      write('new.txt', 'new\n'),
    ),
  ]);
  expect((await run()).status).toBe('completed');
  const diff = must(await workflow.diff({ taskId: task.id }));
  expect(diff.files.map((file) => file.path).toSorted()).toEqual(['new.txt', 'src/part7/file7.txt']);
  must(await land());
  if (runs(0, 1) === 1) console.log(`${FILES} files, from task to merged: ${Math.round(performance.now() - begun)} ms`);
  expect(readFileSync(join(path, 'src/part7/file7.txt'), 'utf8')).toBe('changed\n');
  expect(await git(path, 'status', '--porcelain')).toBe('');
  expect((await git(path, 'ls-tree', '-r', '--name-only', 'main')).split('\n')).toHaveLength(FILES + 2);
});

/** A remote with some history, and a person's clone of a part of it. */
async function makeClone(...flags: ReadonlyArray<string>) {
  const folder = makeFolder();
  const [remote, path, other] = [join(folder, 'remote.git'), join(folder, 'clone'), join(folder, 'other')];
  const origin = await makeRepository({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
  for (const word of ['two', 'three']) {
    writeFileSync(join(origin, 'a.txt'), `${word}\n`);
    await git(origin, 'commit', '--quiet', '--all', '-m', word);
  }
  await git(folder, 'clone', '--quiet', '--bare', '--', origin, remote);
  await git(remote, 'config', 'uploadpack.allowFilter', 'true');
  await git(folder, 'clone', '--quiet', ...flags, '--', `file://${remote}`, path);
  await git(folder, 'clone', '--quiet', '--', remote, other);
  /** What somebody else does meanwhile. */
  const push = async (files: Readonly<Record<string, string>>) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(other, name), content);
    await git(other, 'add', '--all');
    await git(other, 'commit', '--quiet', '-m', Object.keys(files).join());
    await git(other, 'push', '--quiet', 'origin', 'main');
  };
  return { remote, path, other, push };
}

describe('a shallow clone', () => {
  it('is worked on and merged, while others go on at the remote and somebody deepens it', async () => {
    const { remote, path, push } = await makeClone('--depth', '1');
    const lock = join(path, '.git/shallow.lock');
    writeFileSync(lock, 'of another git\n');
    await push({ 'c.txt': 'c\n' });
    const { run, land } = await begin(path, [script(write('new.txt', 'new\n'))]);
    expect((await run()).status).toBe('completed');
    await push({ 'd.txt': 'd\n' });
    must(await land());
    expect((await git(remote, 'ls-tree', '--name-only', 'main')).split('\n')).toEqual([
      'a.txt',
      'b.txt',
      'c.txt',
      'd.txt',
      'new.txt',
    ]);
    expect(await git(remote, 'log', '--format=%s', 'main')).toContain('first');
    await git(remote, 'fsck', '--strict', '--no-dangling');
    expect(readFileSync(lock, 'utf8')).toBe('of another git\n');
  });
});

describe('a partial clone', () => {
  it.each(runs(0, 1) === 1 ? ['blob:none', 'tree:0'] : ['blob:none'])(
    '(%s) has what is missing fetched before it is worked on and merged',
    async (part) => {
      const { remote, path, push } = await makeClone(`--filter=${part}`);
      await push({ 'a.txt': 'four\n', 'c.txt': 'c\n' });
      const { run, land, told } = await begin(path, [
        script({ do: 'modifyFile', path: 'c.txt', find: 'c', replace: 'changed' }),
      ]);
      const { status, error } = await run();
      expect([status, error]).toEqual(['completed', null]);
      await push({ 'b.txt': 'b, by others\n', 'd.txt': 'd\n' });
      must(await land());
      expect(await git(remote, 'show', 'main:c.txt')).toBe('changed');
      expect(await git(remote, 'show', 'main:b.txt')).toBe('b, by others');
      expect(readFileSync(join(path, 'd.txt'), 'utf8')).toBe('d\n');
      expect(await told('git.fetch_failed')).toEqual([]);
    },
  );

  it('says what it lacks when its remote is gone', async () => {
    const { remote, path, push } = await makeClone('--filter=blob:none');
    await push({ 'a.txt': 'four\n', 'c.txt': 'c\n' });
    await git(path, 'fetch', '--quiet', 'origin');
    await git(path, 'update-ref', 'refs/heads/next', 'origin/main');
    renameSync(remote, `${remote}-gone`);
    const { run, workflow, project } = await begin(path, [script(write('new.txt', 'new\n'))]);
    must(await workflow.updateProject(project.id, { defaultBranch: 'next' }, PERSON));
    const failed = await run();
    expect(failed.status).toBe('failed');
    expect(failed.error).toContain('is a partial clone that lacks files of next, and its remote could not be asked');
  });
});
