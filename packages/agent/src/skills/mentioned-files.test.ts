import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { createPolicy, parseRule } from '@attractor/policy';
import { expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { mentionedFiles } from '@attractor/settings';
import { partIfAllowed } from './guarded-ports.ts';

function makeWorld(root: string, denied: string) {
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
  const png = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
  const root = makeFolder({ 'a.txt': 'of a', 'src/b.ts': 'of b', 'secret.txt': 'hush', 'broken.png': '\u0089PNG\0\0' });
  const world = makeWorld(root, 'Read(secret*)');
  for (const name of ['picture.png', 'secret.png']) writeFileSync(path.join(root, name), png);
  const words =
    'See @a.txt, @src/b.ts, @picture.png. And @a.txt! Not @secret.txt, @secret.png, @broken.png, @src, @missing.txt or ada@a.txt.';
  expect(await mentionedFiles(words, (file) => partIfAllowed(file, world))).toEqual([
    { mention: '@a.txt', content: { kind: 'TEXT', text: 'of a' } },
    { mention: '@src/b.ts', content: { kind: 'TEXT', text: 'of b' } },
    {
      mention: '@picture.png',
      content: { kind: 'IMAGE', source: { data: png.toString('base64'), mediaType: 'image/png' } },
    },
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
  const world = makeWorld(makeFolder(Object.fromEntries(names.map((name) => [name, name]))), 'Read(secret.txt)');
  const found = await mentionedFiles(names.map((name) => `@${name}`).join(' '), (file) => partIfAllowed(file, world));
  expect(found.map(({ content }) => content)).toEqual(names.slice(0, 20).map((text) => ({ kind: 'TEXT', text })));
});
