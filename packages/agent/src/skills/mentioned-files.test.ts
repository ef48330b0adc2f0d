import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { createPolicy, parseRule } from '@attractor/policy';
import { expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { mentionedFiles } from '@attractor/settings';
import { readIfAllowed } from './guarded-ports.ts';

function makeWorld(files: Readonly<Record<string, string>>, denied: string) {
  const root = makeFolder(files);
  const rule = parseRule(denied, 'deny', { scope: 'user', file: null, line: null, root });
  if (!rule.ok) throw new Error(denied);
  const policy = createPolicy({
    mode: 'default',
    rules: [rule.rule],
    root,
    home: '/home/nobody',
    sandboxed: false,
  });
  return { policy, environment: createLocalExecutionEnvironment(root) };
}

it('files that words mention are read once each, unless they may not be or are none', async () => {
  const world = makeWorld(
    { 'a.txt': 'of a', 'src/b.ts': 'of b', 'secret.txt': 'hush', 'picture.png': '\u0089PNG\0\0' },
    'Read(secret.txt)',
  );
  const words = 'See @a.txt, @src/b.ts. And @a.txt! Not @secret.txt, @picture.png, @src, @missing.txt or ada@a.txt.';
  expect(await mentionedFiles(words, (file) => readIfAllowed(file, world))).toEqual([
    { mention: '@a.txt', content: 'of a' },
    { mention: '@src/b.ts', content: 'of b' },
  ]);
});

it('files outside the workspace are not read for words that mention them, whatever the mode allows', async () => {
  const outside = makeFolder({ 'key.txt': 'hush' });
  const root = makeFolder({ 'sub/a.txt': 'of a' });
  const asked: string[] = [];
  const read = async (file: string): Promise<string> => {
    asked.push(file);
    return 'read';
  };
  const up = path.relative(root, path.join(outside, 'key.txt'));
  await mentionedFiles(`@${outside}/key.txt @${up} @~/key.txt @sub/../../key.txt @./sub/a.txt`, read);
  expect(asked).toEqual(['./sub/a.txt']);
});

it('of a long list of mentions the first are read', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `f${at}.txt`);
  const world = makeWorld(Object.fromEntries(names.map((name) => [name, name])), 'Read(secret.txt)');
  const found = await mentionedFiles(names.map((name) => `@${name}`).join(' '), (file) => readIfAllowed(file, world));
  expect(found.map(({ content }) => content)).toEqual(names.slice(0, 20));
});
