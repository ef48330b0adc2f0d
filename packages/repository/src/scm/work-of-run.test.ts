import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDiffStat } from '../git/change.ts';
import { haveSameFiles } from '../git/checked-out.ts';
import { git, makeRepository } from '../test-support/git-world.ts';
import { readFileDiffs } from './task-diff.ts';
import { readWork } from './work-of-run.ts';

it('counts the lines of a change as git does, from the change itself', async () => {
  const path = await makeRepository({
    'gone.txt': 'a\nb\n',
    'mode.sh': 'x\n',
    'tail.txt': 'no end',
    'same.txt': 's\n',
  });
  const baseCommit = await git(path, 'rev-parse', 'HEAD');
  rmSync(join(path, 'gone.txt'));
  chmodSync(join(path, 'mode.sh'), 0o755);
  writeFileSync(join(path, 'tail.txt'), 'no end\n--- a\n+++ b\n@@ -1 +1 @@\ndiff --git a/x b/x\n');
  writeFileSync(join(path, 'empty.txt'), '');
  writeFileSync(join(path, 'pic.bin'), Buffer.from([0, 1, 2, 0, 255]));
  for (const name of ['a\tb.txt', 'c\nd.txt', 'é ü.txt', ' x ', 'a b/c"d.txt'.replace('/', '_')])
    writeFileSync(join(path, name), '+one\n-two\n');
  await git(path, 'add', '--all');
  await git(path, '-c', 'user.name=A', '-c', 'user.email=a@a.test', 'commit', '-q', '-m', 'work');
  const head = await git(path, 'rev-parse', 'HEAD');
  const worktree = {
    path,
    branch: 'main',
    baseBranch: 'main',
    baseCommit,
    head: baseCommit,
    created: true,
    rescued: null,
  };
  const worker = {
    run: { id: 'run_1', taskId: 'tsk_1' } as const,
    worktree,
    phaseId: null,
    redact: (text: string) => text,
  };
  const { artifacts, problems } = await readWork(worker, head);
  const told = await readDiffStat(path, { from: baseCommit, to: head });
  const sorted = (files: ReadonlyArray<{ readonly path: string }>) =>
    files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const found: unknown = artifacts.find(({ type }) => type === 'diff')?.metadata;
  if (!told.ok) throw new Error(told.error.message);
  expect(problems).toEqual([]);
  expect(found).toMatchObject({ ...told.value, files: sorted(told.value.files) });
  expect(told.value.filesChanged).toBe(10);
});

it('shows a submodule that points elsewhere, whatever the settings of the repository say of it', async () => {
  const path = await makeRepository({ '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = /nowhere\n' });
  const from = await git(path, 'rev-parse', 'HEAD');
  await git(path, 'update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},lib`);
  await git(path, 'commit', '--quiet', '-m', 'elsewhere');
  const to = await git(path, 'rev-parse', 'HEAD');
  await git(path, 'config', 'submodule.lib.ignore', 'all');
  await git(path, 'config', 'diff.ignoreSubmodules', 'all');
  expect(await git(path, 'diff-tree', '-r', from, to)).toBe('');
  const shown = await readFileDiffs(path, { from, to, maxBytes: 10_000 });
  expect(shown).toMatchObject({ ok: true, value: { files: [{ path: 'lib', status: 'added' }] } });
  const told = await readDiffStat(path, { from, to });
  expect(told).toMatchObject({ ok: true, value: { filesChanged: 1 } });
  await git(path, 'gc', '--quiet');
  expect(await haveSameFiles(path, from, to)).toBe(false);
});
