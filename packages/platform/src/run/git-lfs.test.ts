import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script, ScriptStep } from '@attractor/adapters';
import { git, gitWithLfs, makeLargeFilesWorld, serveLargeFiles } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addTask, openTestPlatform } from '../test-support/world.ts';

const WORLD = { 'art/one.bin': 'one, large\n', 'two.bin': 'two, large\n' };
const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:[0-9a-f]{64}\nsize \d+$/;

/** Replaces a word that only the contents have. */
const CHANGE: ReadonlyArray<ScriptStep> = [
  { do: 'modifyFile', path: 'art/one.bin', find: 'one', replace: 'changed' },
  { do: 'createFile', path: 'new.bin', content: 'new, large\n' },
];
const script = (steps: ReadonlyArray<ScriptStep>): Script => ({
  when: { outcome: 'pr_ready' },
  steps: [...steps, { do: 'outcome', outcome: 'pr_ready' }],
});

async function begin(path: string) {
  const platform = await openTestPlatform({ scripts: [script(CHANGE)] });
  const { workflow, worker } = platform;
  const { task } = await addTask(platform, { path, title: 'Change it' });
  const start = () => workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON).then(must);
  const run = async () => {
    await start();
    await worker.idle();
    const [last] = await workflow.listRuns({ taskId: task.id });
    if (last === undefined) throw new Error('There is a run');
    return last;
  };
  const land = () => workflow.approve({ taskId: task.id, merge: true }, PERSON);
  return { workflow, worker, task, start, run, land };
}

describe('a repository that keeps files with Git LFS', () => {
  it('is worked on with their contents, committed with pointers, and pushed and merged with both', async () => {
    const { folder, remote, path } = await makeLargeFilesWorld(WORLD);
    const { run, land } = await begin(path);
    const { status, error, branch } = await run();
    expect([status, error]).toEqual(['completed', null]);
    for (const name of ['art/one.bin', 'new.bin'])
      expect(await git(remote, 'show', `${branch}:${name}`)).toMatch(POINTER);
    must(await land());
    expect(readFileSync(join(path, 'art/one.bin'), 'utf8')).toBe('changed, large\n');
    expect(readFileSync(join(path, 'new.bin'), 'utf8')).toBe('new, large\n');
    expect(await gitWithLfs(path, 'status', '--porcelain')).toBe('');
    const theirs = join(folder, 'theirs');
    await gitWithLfs(folder, 'clone', '--quiet', '--', remote, theirs);
    expect(['art/one.bin', 'two.bin', 'new.bin'].map((name) => readFileSync(join(theirs, name), 'utf8'))).toEqual([
      'changed, large\n',
      'two, large\n',
      'new, large\n',
    ]);
  });

  it('has what a shallow and partial clone lacks fetched from where the person configured, not from where the repository says', async () => {
    const { folder, remote, path: origin } = await makeLargeFilesWorld(WORLD);
    const server = await serveLargeFiles();
    onTestFinished(server.close);
    for (const content of Object.values(WORLD)) server.put(content);
    const asked = await serveLargeFiles();
    onTestFinished(asked.close);
    writeFileSync(join(origin, '.lfsconfig'), `[lfs]\n\turl = ${asked.url}\n\tfetchexclude = two.bin\n`);
    await gitWithLfs(origin, 'add', '--all');
    await gitWithLfs(origin, 'commit', '--quiet', '-m', 'an address');
    await git(origin, 'push', '--quiet', 'origin', 'main');
    await git(remote, 'config', 'uploadpack.allowFilter', 'true');
    renameSync(join(remote, 'lfs'), join(remote, 'lfs-elsewhere'));
    const path = join(folder, 'part');
    await git(folder, 'clone', '--quiet', '--depth=1', '--filter=blob:none', '--', `file://${remote}`, path);
    await git(path, 'config', 'lfs.url', server.url);
    const { run, land, workflow, task } = await begin(path);
    const { status, error } = await run();
    expect([status, error]).toEqual(['completed', null]);
    expect(server.has('changed, large\n')).toBe(true);
    expect(asked.has('changed, large\n')).toBe(false);
    const notices = (await workflow.events({ taskId: task.id })).filter(({ type }) => type === 'worktree.notice');
    expect(notices.map(({ summary }) => summary)).toEqual([
      'Files that Git LFS keeps are only pointers here: two.bin.',
    ]);
    must(await land());
    expect(readFileSync(join(path, 'art/one.bin'), 'utf8')).toBe('changed, large\n');
  });

  it('is not worked on while the contents of its files can’t be had, or may be those of another file', async () => {
    const { folder, remote } = await makeLargeFilesWorld(WORLD);
    const path = join(folder, 'pointers');
    await git(folder, 'clone', '--quiet', '--', remote, path);
    renameSync(join(remote, 'lfs'), join(remote, 'lfs-gone'));
    const oid = /sha256:(\w+)/.exec(await git(path, 'show', 'HEAD:two.bin'))?.[1] ?? '';
    const object = join(path, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid);
    const secret = join(makeFolder(), 'secret');
    writeFileSync(secret, 'of two same\n');
    mkdirSync(join(object, '..'), { recursive: true });
    symlinkSync(secret, object);
    const { run, task } = await begin(path);
    const failed = await run();
    expect(failed.status).toBe('failed');
    expect(failed.error).toContain('The contents of art/one.bin, two.bin could not be fetched.');
    expect(readFileSync(join(path, '.agent-worktrees', task.id, 'two.bin'), 'utf8')).toMatch(/^version/);
  });

  it('waits where git-lfs is missing, and says so', async () => {
    const { path } = await makeLargeFilesWorld(WORLD);
    const { start, worker, workflow, task } = await begin(path);
    const tools = withoutLfs();
    await start();
    await worker.idle();
    const { jobs } = await workflow.queueState();
    expect(jobs.map(({ blocked }) => blocked?.code)).toEqual(['no_git_lfs']);
    expect(jobs[0]?.blocked?.message).toContain(
      `${path} keeps files with Git LFS, and git-lfs was not found: install it`,
    );
    symlinkSync('/usr/bin/git-lfs', join(tools, 'git-lfs'));
    await worker.idle();
    expect((await workflow.listRuns({ taskId: task.id })).map(({ status }) => status)).toEqual(['completed']);
  });

  it('fails a run before it begins where only a folder inside says that it keeps files so', async () => {
    const { path } = await makeLargeFilesWorld(WORLD, 'art/.gitattributes');
    const { run, task } = await begin(path);
    withoutLfs();
    const failed = await run();
    expect([failed.status, failed.error]).toEqual(['failed', expect.stringContaining('git-lfs was not found')]);
    expect(existsSync(join(path, '.agent-worktrees', task.id, 'new.bin'))).toBe(false);
  });
});

/** A search path with git and without git-lfs. */
function withoutLfs(): string {
  const tools = makeFolder();
  for (const name of ['git', 'sh']) symlinkSync(`/usr/bin/${name}`, join(tools, name));
  vi.stubEnv('PATH', tools);
  return tools;
}
