import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalExecutionEnvironment } from './local.ts';
import { joinFolders } from './several-folders.ts';

function makeWorld() {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'attractor-folders-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [work, more, outside] = ['work', 'more', 'outside'].map((name) => path.join(top, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [work, more, outside]) {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'a.txt'), `in ${path.basename(folder)}\n`);
  }
  const env = joinFolders(createLocalExecutionEnvironment(work), [createLocalExecutionEnvironment(more)]);
  return { work, more, outside, env };
}

test('paths below a further folder belong to it, all others to the first', async () => {
  const { more, env } = makeWorld();
  expect(await env.readText('a.txt')).toBe('in work\n');
  expect(await env.readText(path.join(more, 'a.txt'))).toBe('in more\n');
  await env.writeFile(path.join(more, 'new', 'b.txt'), 'b\n');
  expect(readFileSync(path.join(more, 'new', 'b.txt'), 'utf8')).toBe('b\n');
  expect(await env.grep('in', more)).toContain('in more');
  expect((await env.execCommand('pwd', { workingDir: more })).stdout.trim()).toBe(more);
  expect((await env.execCommand('pwd', 5000)).stdout.trim()).not.toBe(more);
});

test('nothing else is let in: not a neighbour, not a name that only begins alike, not through a link', async () => {
  const { more, outside, env } = makeWorld();
  symlinkSync(outside, path.join(more, 'link'));
  for (const file of [
    path.join(outside, 'a.txt'),
    `${more}-else/a.txt`,
    path.join(more, '..', 'outside', 'a.txt'),
    path.join(more, 'link', 'a.txt'),
  ]) {
    await expect(env.readText(file)).rejects.toMatchObject({ code: 'outside' });
    await expect(env.writeFile(file, 'x')).rejects.toMatchObject({ code: 'outside' });
  }
  expect(readFileSync(path.join(outside, 'a.txt'), 'utf8')).toBe('in outside\n');
});

test('a change over many files stays all or nothing, so it may not span folders', async () => {
  const { work, more, env } = makeWorld();
  const change = (file: string) => ({ kind: 'write', path: file, content: 'changed\n' }) as const;
  const both = [change(path.join(work, 'a.txt')), change(path.join(more, 'a.txt'))];
  await expect(env.changeFiles?.(both)).rejects.toThrow(/several folders/);
  await env.changeFiles?.([change(path.join(more, 'a.txt')), change(path.join(more, 'c.txt'))]);
  expect(readFileSync(path.join(more, 'c.txt'), 'utf8')).toBe('changed\n');
});
