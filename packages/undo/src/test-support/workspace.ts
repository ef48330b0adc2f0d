import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { runGit } from '@attractor/git';
import type { Undo, UndoBounds, UndoOutcome } from '../contract.ts';
import { openUndo } from '../undo.ts';

const ada = { name: 'Ada', email: 'ada@example.test', date: '2026-01-02T03:04:05Z' };

/** SOAK=1: ten times the runs. */
export const runs = (normal: number): number => (process.env['SOAK'] === '1' ? normal * 10 : normal);

export async function initRepository(cwd: string): Promise<void> {
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '--all'],
    ['commit', '-q', '--allow-empty', '-m', 'first'],
  ]) {
    expect(await runGit(args, { cwd, author: ada })).toMatchObject({ exitCode: 0 });
  }
}

export async function open(workspace: string, statePath: string, bounds: Partial<UndoBounds> = {}): Promise<Undo> {
  return valueOf(await openUndo({ workspace, statePath, bounds })).undo;
}

export function valueOf<T>(outcome: UndoOutcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
}

/** Every file and link below, by name: content (one character per byte), type and permission bits. `.git` and `skip` are skipped. */
export function contents(folder: string, skip: ReadonlyArray<string> = []): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (at: Buffer, name: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true, encoding: 'buffer' })) {
      const entryName = entry.name.toString('latin1');
      if (entryName === '.git' || skip.includes(entryName)) continue;
      const file = Buffer.concat([at, Buffer.from('/'), entry.name]);
      if (entry.isDirectory()) walk(file, `${name}${entryName}/`);
      else found[`${name}${entryName}`] = describe(file);
    }
  };
  walk(Buffer.from(folder), '');
  return found;
}

/** Creates the file as `contents` describes it: content, type and permission bits. */
export function put(file: string, content: string, mode = 0o644): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

export function link(file: string, target: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  symlinkSync(target, file);
}

/** Every byte of the person's repository, and the times of its files. */
export function repositoryBytes(workspace: string): Record<string, string> {
  const folder = path.join(workspace, '.git');
  if (!existsSync(folder)) return {};
  const found = contents(folder);
  for (const name of Object.keys(found)) found[name] += ` ${lstatSync(path.join(folder, name)).mtimeMs}`;
  return found;
}

function describe(file: Buffer): string {
  const stats = lstatSync(file);
  const mode = (stats.mode & 0o7777).toString(8);
  if (stats.isSymbolicLink()) return `link ${readlinkSync(file, { encoding: 'latin1' })}`;
  return stats.isFile() ? `${mode} ${readFileSync(file, 'latin1')}` : `other ${mode}`;
}
