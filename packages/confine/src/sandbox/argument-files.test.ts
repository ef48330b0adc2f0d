import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createArgumentFiles } from './argument-files.ts';
import { makePrivateFolder } from './private-folder.ts';

test('arguments are written once for as long as they are the same, and stay for whoever holds them', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'attractor-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = createArgumentFiles(folder);
  const [first, second] = [files.hold(['--bind', 'a b']), files.hold(['--bind', 'a b'])];
  expect(second.at).toBe(first.at);
  expect(readFileSync(first.at, 'utf8')).toBe('--bind\0a b\0');
  first.release();
  const other = files.hold(['--bind', 'a', 'b']);
  expect(readFileSync(second.at, 'utf8')).toBe('--bind\0a b\0');
  second.release();
  expect([existsSync(first.at), existsSync(other.at)]).toEqual([false, true]);
  other.release();
  expect(files.hold(['--bind', 'a', 'b']).at).toBe(other.at);
  expect(readdirSync(folder)).toHaveLength(1);
});

test('the folder of a sandbox whose process was killed goes with the next sandbox, and that of a living one stays', () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'attractor-test-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const mine = path.basename(makePrivateFolder(mkdtempSync(path.join(parent, 'other-'))).at);
  const [space, pid] = mine.replace('attractor-sandbox-', '').split('-');
  const [alive, dead, foreign] = [mine, `attractor-sandbox-${space}-${pid}-1-abcdef`, 'attractor-sandbox-abcdef'];
  for (const name of [alive, dead, foreign]) mkdirSync(path.join(parent, name));
  const { at, remove } = makePrivateFolder(parent);
  expect([alive, dead, foreign].map((name) => existsSync(path.join(parent, name)))).toEqual([true, false, true]);
  remove();
  expect(existsSync(at)).toBe(false);
});
