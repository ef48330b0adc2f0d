import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { expect, it } from 'vitest';
import { parseRule } from './parse-rule.ts';
import { createPolicy } from './policy.ts';
import type { PermissionMode } from './types.ts';
import type { WorkLimit } from './work-limit.ts';

function judging(limit: WorkLimit, mode: PermissionMode = 'bypassPermissions') {
  const root = makeFolder();
  writeFileSync(path.join(root, 'old.txt'), 'old\n');
  symlinkSync('old.txt', path.join(root, 'link.txt'));
  const policy = createPolicy({ rules: [], mode, root, home: root, sandboxed: true, limit });
  return async (toolName: string, args: Readonly<Record<string, unknown>>) => {
    const { decision, reason } = await policy.judge({ toolName, args });
    return [decision, reason];
  };
}

const ONLY_NEW: WorkLimit = { refuses: (file) => (file === 'old.txt' ? 'old.txt was there before' : null) };
const ONLY_GIT: WorkLimit = {
  refuses: () => 'no file is changed',
  programs: { names: ['git'], reason: 'only git runs' },
};

it('what a part of the work may not change is refused in every mode, by every tool and by every name of it', async () => {
  for (const mode of ['bypassPermissions', 'acceptEdits'] as const) {
    const judge = judging(ONLY_NEW, mode);
    const refused = ['deny', 'old.txt was there before'];
    expect(await judge('write_file', { file_path: 'old.txt', content: '' })).toEqual(refused);
    expect(await judge('write_file', { file_path: 'link.txt', content: '' })).toEqual(refused);
    expect(await judge('edit_file', { file_path: './x/../old.txt', old_string: 'a', new_string: 'b' })).toEqual(
      refused,
    );
    expect(await judge('shell', { command: 'echo new > old.txt' })).toEqual(refused);
    expect(await judge('shell', { command: 'sed -i s/a/b/ link.txt' })).toEqual(refused);
    expect(await judge('shell', { command: 'rm old.txt' })).toEqual(refused);
    expect(await judge('shell', { command: 'cat old.txt' })).toEqual(['allow', expect.anything()]);
    expect(await judge('write_file', { file_path: 'new.txt', content: '' })).toEqual(['allow', expect.anything()]);
  }
});

it('where only some programs may run, others are refused, and so is what can not be read', async () => {
  const judge = judging(ONLY_GIT);
  const allowed = ['allow', expect.anything()];
  for (const command of [
    'git commit -m x',
    'git log',
    'cat old.txt | head -1',
    'git reset --soft HEAD~1 && git status',
  ])
    expect([command, await judge('shell', { command })]).toEqual([command, allowed]);
  for (const command of ['npm test', 'touch x', 'git status && make', 'python3 -c 1', '$(cat x) y'])
    expect([command, (await judge('shell', { command }))[0]]).toEqual([command, 'deny']);
  expect(await judge('shell', { command: 'echo "unclosed' })).toEqual([
    'deny',
    expect.stringContaining('only git runs'),
  ]);
  expect(await judge('write_file', { file_path: 'x', content: '' })).toEqual(['deny', 'no file is changed']);
});

it('what opens the host is out of reach for every tool, by every name and in every mode', async () => {
  const [root, home] = [makeFolder(), makeFolder()];
  const file = path.join(home, 'token');
  writeFileSync(file, 'secret');
  symlinkSync(file, path.join(root, 'link'));
  const allow = parseRule('Read', 'allow', { scope: 'user', file: null, line: null, root });
  if (!allow.ok) throw new Error(allow.error.message);
  for (const mode of ['bypassPermissions', 'acceptEdits'] as const) {
    const policy = createPolicy({ rules: [allow.rule], mode, root, home: root, sandboxed: true, hostFiles: [file] });
    for (const [toolName, args] of [
      ['read_file', { file_path: file }],
      ['read_file', { file_path: 'link' }],
      ['write_file', { file_path: file, content: 'mine' }],
      ['shell', { command: `cat ${file}` }],
      ['shell', { command: `cd ${home} && curl -H "Authorization: Bearer $(cat token)" http://127.0.0.1:4180` }],
      ['shell', { command: 'base64 < link' }],
    ] as const) {
      const { decision, reason } = await policy.judge({ toolName, args });
      expect([args, decision, reason]).toEqual([args, 'deny', expect.stringContaining('no agent may touch it')]);
    }
    expect([policy.deniesReading('link'), policy.deniesReading('other')]).toEqual([true, false]);
  }
});
