import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { makeFolder } from '@attractor/base/testing';
import { createListDirTool, listDirExecutor } from './list-dir.ts';

const world = (files: Readonly<Record<string, string>>) => {
  const root = makeFolder(files);
  const env = createLocalExecutionEnvironment(root);
  const list = async (args: Record<string, unknown>) => {
    const answer = await listDirExecutor(args, env);
    return typeof answer === 'string' ? { output: answer, isError: false } : answer;
  };
  return { root, list };
};

describe('list_dir', () => {
  it('shows an entry a line, folders with a slash, files with their size, links as they are', async () => {
    const { root, list } = world({ 'b.txt': 'xx', 'a/c.txt': 'x' });
    symlinkSync('/etc', path.join(root, 'link'));
    expect((await list({ path: '.' })).output).toBe('a/\nb.txt (2 bytes)\nlink');
    expect(createListDirTool()).toMatchObject({ readOnly: true, definition: { name: 'list_dir' } });
  });

  it('leaves out what git ignores, by every file on the way, unless told not to', async () => {
    const { root, list } = world({
      '.gitignore': 'node_modules/\n*.log\n/sub/secret\n',
      'node_modules/x': '',
      'a.log': '',
      'sub/.gitignore': '!b.log\nmine\n',
      'sub/a.log': '',
      'sub/b.log': '',
      'sub/mine': '',
      'sub/secret': '',
      'sub/shown': '',
    });
    spawnSync('git', ['init', '-q'], { cwd: root });
    expect((await list({ path: '.' })).output).toBe('.gitignore (32 bytes)\nsub/');
    expect((await list({ path: 'sub' })).output).toBe('.gitignore (12 bytes)\nb.log (0 bytes)\nshown (0 bytes)');
    const all = (await list({ path: '.', respect_git_ignore: false })).output.split('\n');
    expect(all.map((line) => line.split(' ')[0])).toEqual(['.git/', '.gitignore', 'a.log', 'node_modules/', 'sub/']);
  });

  it('leaves out what the call names', async () => {
    const { list } = world({ 'a.ts': '', 'b.md': '', 'dist/x': '', '!odd': '' });
    expect((await list({ path: '.', ignore: ['*.md', 'dist', '!odd'] })).output).toBe('a.ts (0 bytes)');
    expect((await list({ path: '.', ignore: ['*'] })).output).toBe('Every entry of the folder is ignored.');
    expect((await list({ path: 'dist', ignore: [] })).output).toBe('x (0 bytes)');
  });

  it('shows five hundred entries and says how many more there are', async () => {
    const files = Object.fromEntries(Array.from({ length: 503 }, (_, index) => [`f${1_000 + index}`, '']));
    const lines = (await world(files).list({ path: '.' })).output.split('\n');
    expect(lines).toHaveLength(501);
    expect(lines.at(-1)).toContain('3 more entries');
  });

  it('gives a name with a line break as one entry', async () => {
    const { list } = world({ 'a\nb.txt': '' });
    expect((await list({ path: '.' })).output).toBe(String.raw`"a\nb.txt" (0 bytes)`);
  });

  it('answers a file, a missing folder and the outside with an error, and an empty folder with words', async () => {
    const { list } = world({ 'a.txt': '', 'empty/x/y': '' });
    for (const asked of ['a.txt', 'gone', '..', '']) expect((await list({ path: asked })).isError).toBe(true);
    expect((await list({})).isError).toBe(true);
    expect((await list({ path: 'empty', ignore: ['x'] })).output).toContain('ignored');
  });
});
