import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseScript, startSimulator } from '@attractor/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { mostlyHere } from './attractor-here.ts';
import { type Ended, makeFolder } from './attractor.ts';

const mostly = mostlyHere(['-p', 'rewind']);

const TURNS = [
  { toolCalls: [{ use: 'read', path: 'notes.txt' }] },
  { toolCalls: [{ use: 'edit', path: 'notes.txt', old: 'two', new: 'TWO' }] },
  { toolCalls: [{ use: 'shell', command: 'rm notes.txt; echo made > made.txt' }] },
  { text: 'Done.' },
];

test('what a session did to files, by edit and by shell, is taken back and done again; what a person did stays', async () => {
  const parsed = parseScript({ turns: TURNS });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const home = makeFolder();
  const cwd = makeFolder();
  const file = (name: string): string => path.join(cwd, name);
  const attractor = (...args: ReadonlyArray<string>): Promise<Ended> =>
    mostly(args, { home, cwd, env: { ANTHROPIC_API_KEY: 'none' } });
  writeFileSync(file('notes.txt'), 'one\ntwo\n');
  const model = [
    '--provider',
    'anthropic',
    '--model',
    'claude-sonnet-4-5-20250929',
    '--base-url',
    simulator.baseUrls.anthropic,
  ];
  const ran = await attractor(
    '-p',
    'Change it.',
    ...model,
    '--allowed-tools',
    'Bash,Edit',
    '--allow-unsandboxed',
    '--output-format',
    'json',
  );
  expect(ran.code).toBe(0);
  expect([existsSync(file('notes.txt')), existsSync(file('made.txt'))]).toEqual([false, true]);
  const { session_id: id } = JSON.parse(ran.stdout) as { readonly session_id: string };
  writeFileSync(file('mine.txt'), "a person's\n");

  const rewound = await attractor('sessions', 'rewind', id, '--turn', '1', '--yes');
  expect(rewound).toMatchObject({ code: 0, stderr: '' });
  expect(rewound.stdout).toMatch(/brings back notes\.txt/);
  expect(readFileSync(file('notes.txt'), 'utf8')).toBe('one\ntwo\n');
  expect(existsSync(file('made.txt'))).toBe(false);
  expect(readFileSync(file('mine.txt'), 'utf8')).toBe("a person's\n");

  expect(await attractor('sessions', 'rewind', id, '--redo', '--yes')).toMatchObject({ code: 0, stderr: '' });
  expect([existsSync(file('notes.txt')), existsSync(file('made.txt')), existsSync(file('mine.txt'))]).toEqual([
    false,
    true,
    true,
  ]);

  const again = await attractor('sessions', 'rewind', id, '--redo', '--yes');
  expect(again).toMatchObject({ code: 4, stdout: '', stderr: expect.stringMatching(/There is nothing to redo/) });
  expect([existsSync(file('notes.txt')), existsSync(file('made.txt'))]).toEqual([false, true]);

  expect(await attractor('sessions', 'rewind', id, '--turn', '5', '--only', 'files', '--yes')).toMatchObject({
    code: 0,
  });
  expect(readFileSync(file('notes.txt'), 'utf8')).toBe('one\nTWO\n');

  const redoFiles = ['sessions', 'rewind', id, '--redo', '--only', 'files', '--yes'];
  expect(await attractor(...redoFiles)).toMatchObject({ code: 0 });
  expect(existsSync(file('notes.txt'))).toBe(false);
  expect(await attractor(...redoFiles)).toMatchObject({ code: 4, stderr: expect.stringMatching(/nothing to redo/) });
});
