import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script, ScriptStep } from '@attractor/adapters';
import { commitAll } from '@attractor/repository';
import { git, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { describe, expect, it } from 'vitest';
import { addTask, openTestPlatform } from '../test-support/world.ts';

const LOCAL = ['-c', 'protocol.file.allow=always'];
const SETUP = `git ${LOCAL.join(' ')} submodule --quiet update --init --recursive`;
const write = (path: string, content: string): ScriptStep => ({ do: 'createFile', path, content });

const does = (promptIncludes: string, ...steps: ReadonlyArray<ScriptStep>): Script => ({
  when: { outcome: 'pr_ready', promptIncludes },
  steps: [...steps, { do: 'outcome', outcome: 'pr_ready' }],
});

const SECRET = `ghp_${'a1B2'.repeat(9)}`;

/** Git LFS keeps it. */
const LARGE = 'large\n';

function keepsLarge(repository: string): boolean {
  const oid = createHash('sha256').update(LARGE).digest('hex');
  return existsSync(join(repository, 'lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid));
}

const SCRIPTS = [
  does(
    'Change both',
    write('lib/inner/deep.txt', 'deep\n'),
    write('lib/new.txt', 'inside\n'),
    write('lib/new.bin', LARGE),
    write('outside.txt', 'outside\n'),
  ),
  does('Leak inside', write('lib/new.txt', `${SECRET}\n`), write('lib/inner/new.txt', `${SECRET}\n`)),
  does('Only outside', write('outside.txt', 'outside\n')),
];

const LIB = { 'lib.txt': 'lib\n', '.gitattributes': '*.bin filter=lfs -text\n' };

/** A project with the submodule `lib`, each with a remote of its own; without one for the project where `isAlone`. Where `isNested`, `lib` has `inner`. */
async function makeProject({ isAlone = false, isNested = false } = {}) {
  const folder = makeFolder();
  const [lib, remote, path] = [join(folder, 'lib.git'), join(folder, 'remote.git'), join(folder, 'project')];
  const [inner, ofLib] = [join(folder, 'inner.git'), await makeRepository(LIB)];
  if (isNested) {
    await git(folder, 'clone', '--quiet', '--bare', '--', await makeRepository({ 'inner.txt': 'inner\n' }), inner);
    await git(ofLib, ...LOCAL, 'submodule', '--quiet', 'add', '--', inner, 'inner');
    await git(ofLib, 'commit', '--quiet', '-m', 'with a submodule');
  }
  await git(folder, 'clone', '--quiet', '--bare', '--', ofLib, lib);
  const config = { '.attractor/config.json': JSON.stringify({ setup: [SETUP] }) };
  const first = await makeRepository({ 'a.txt': 'a\n', ...config });
  await git(first, ...LOCAL, 'submodule', '--quiet', 'add', '--', lib, 'lib');
  await git(first, 'commit', '--quiet', '-m', 'with a submodule');
  await git(folder, 'clone', '--quiet', '--bare', '--', first, remote);
  await git(folder, ...LOCAL, 'clone', '--quiet', '--recurse-submodules', '--', remote, path);
  if (isAlone) await git(path, 'remote', 'remove', 'origin');
  return { folder, inner, lib, remote, path };
}

async function begin(path: string, title: string) {
  const platform = await openTestPlatform({ scripts: SCRIPTS });
  const { workflow, worker } = platform;
  const { task, project } = await addTask(platform, { path, title });
  const work = async (): Promise<string> => {
    must(await workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await worker.idle();
    const [run] = await workflow.listRuns({ taskId: task.id });
    return run?.branch ?? '';
  };
  const land = () => workflow.approve({ taskId: task.id, merge: true }, PERSON);
  return { platform, workflow, worker, task, project, work, land };
}

const pointer = async (folder: string, commit: string, name = 'lib'): Promise<string> =>
  (await git(folder, 'rev-parse', `${commit}:${name}`)).trim();

describe('work in a submodule', () => {
  it('is committed there, and in submodules of it, on a branch of the same name, shown, pushed first and merged, for everybody to check out', async () => {
    const { folder, inner, lib, remote, path } = await makeProject({ isNested: true });
    const { workflow, task, work, land } = await begin(path, 'Change both');
    const branch = await work();
    const made = await pointer(path, branch);
    expect(await git(lib, 'show', `${made}:new.txt`)).toBe('inside');
    expect(await git(lib, 'rev-parse', branch)).toBe(made);
    expect([await git(lib, 'cat-file', '-s', `${made}:new.bin`), keepsLarge(lib)]).toEqual(['126', true]);
    const deep = await pointer(lib, made, 'inner');
    expect(await git(inner, 'rev-parse', branch)).toBe(deep);
    expect(await pointer(remote, branch)).toBe(made);
    const diff = must(await workflow.diff({ taskId: task.id }));
    expect(diff.files.map((file) => file.path).toSorted()).toEqual([
      'lib',
      'lib/inner',
      'lib/inner/deep.txt',
      'lib/new.bin',
      'lib/new.txt',
      'outside.txt',
    ]);
    const artifact = (await workflow.listArtifacts(task.id)).find(({ type }) => type === 'diff');
    expect(artifact?.content).toContain('+++ b/lib/new.txt\n@@ -0,0 +1 @@\n+inside\n');

    // Nobody can check it out while one of them is missing.
    await git(inner, 'update-ref', '-d', `refs/heads/${branch}`);
    expect(await land()).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('lib/inner points at') },
    });
    await git(inner, 'update-ref', `refs/heads/${branch}`, deep);
    must(await land());
    const fresh = join(folder, 'fresh');
    await git(folder, ...LOCAL, 'clone', '--quiet', '--recurse-submodules', '--', remote, fresh);
    expect(readFileSync(join(fresh, 'lib/new.txt'), 'utf8')).toBe('inside\n');
    expect(readFileSync(join(fresh, 'lib/inner/deep.txt'), 'utf8')).toBe('deep\n');
    expect(await git(path, 'status', '--porcelain', '--ignore-submodules=all')).toBe('');
  });

  it('is searched for secrets, and goes nowhere with one', async () => {
    const { inner, lib, path } = await makeProject({ isNested: true });
    const { workflow, task, work } = await begin(path, 'Leak inside');
    await work();
    const [run] = await workflow.listRuns({ taskId: task.id });
    expect(run?.status).toBe('failed');
    const told = run?.checks.map(({ name, passed, output }) => ({ name, passed, output }));
    expect(told).toContainEqual({
      name: 'no-secrets',
      passed: false,
      output: expect.stringMatching(/lib\/new\.txt:1[^]*lib\/inner\/new\.txt:1/),
    });
    for (const remote of [lib, inner])
      expect(await git(remote, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });

  it('is not merged while nobody else could check it out', async () => {
    const { lib, path } = await makeProject();
    const { work, land } = await begin(path, 'Change both');
    const branch = await work();
    const [made, before] = [await pointer(path, branch), await git(path, 'rev-parse', 'main')];
    await git(lib, 'update-ref', '-d', `refs/heads/${branch}`);
    expect(await land()).toMatchObject({
      ok: false,
      error: {
        code: 'blocked',
        message: expect.stringContaining(`lib points at ${made.slice(0, 12)}, which no branch`),
      },
    });
    expect(await git(path, 'rev-parse', 'main')).toBe(before);
    await git(lib, 'update-ref', 'refs/heads/elsewhere', made);
    expect(await land()).toMatchObject({ ok: true });
  });

  it('is handed to the clone of the submodule where the project has no remote', async () => {
    const { lib, path } = await makeProject({ isAlone: true, isNested: true });
    const { work, land } = await begin(path, 'Change both');
    const branch = await work();
    must(await land());
    expect(await git(lib, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(keepsLarge(join(path, '.git/modules/lib'))).toBe(true);
    await git(path, 'submodule', '--quiet', 'update', '--recursive', '--no-fetch');
    expect(readFileSync(join(path, 'lib/new.txt'), 'utf8')).toBe('inside\n');
    expect(readFileSync(join(path, 'lib/inner/deep.txt'), 'utf8')).toBe('deep\n');
    expect(await git(join(path, 'lib'), 'rev-parse', branch)).toBe(await pointer(path, 'main'));
  });

  it('touches no repository but the submodule, wherever its .git leads', async () => {
    const { path } = await makeProject();
    const other = await makeRepository({ 'private.txt': 'private\n' });
    const before = await git(other, 'for-each-ref');
    const { workflow, task, work } = await begin(path, 'Only outside');
    await work();
    const [run] = await workflow.listRuns({ taskId: task.id });
    const lib = join(run?.worktree ?? '', 'lib');
    writeFileSync(join(lib, '.git'), `gitdir: ${join(other, '.git')}\n`);
    const author = { name: 'Ada', email: 'ada@example.test' };
    const left = { message: 'left', runId: 'run_1', author, isWanted: true };
    expect(await commitAll(run?.worktree ?? '', left)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('lib: its repository is not in the project') },
    });
    expect(await git(other, 'for-each-ref')).toBe(before);
    expect(existsSync(join(path, '.git/attractor-submodules'))).toBe(false);
  });

  it('does not set back a pointer that the base moved meanwhile', async () => {
    const { folder, lib, path } = await makeProject();
    const { workflow, worker, task, work } = await begin(path, 'Only outside');
    await work();
    const clone = join(folder, 'of-lib');
    await git(folder, 'clone', '--quiet', '--', lib, clone);
    writeFileSync(join(clone, 'lib.txt'), 'newer\n');
    await git(clone, 'commit', '--quiet', '--all', '-m', 'newer');
    await git(clone, 'push', '--quiet');
    await git(join(path, 'lib'), 'fetch', '--quiet');
    await git(join(path, 'lib'), 'checkout', '--quiet', 'origin/main');
    await git(path, 'commit', '--quiet', '--all', '-m', 'newer lib');
    await git(path, 'push', '--quiet');
    const moved = await pointer(path, 'main');
    must(await workflow.rebase({ taskId: task.id }, PERSON));
    must(await workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await worker.idle();
    const [run] = await workflow.listRuns({ taskId: task.id });
    expect(run?.status).toBe('completed');
    expect(await pointer(path, run?.branch ?? '')).toBe(moved);
  });
});
