import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createArgumentFiles } from './argument-files.ts';

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
