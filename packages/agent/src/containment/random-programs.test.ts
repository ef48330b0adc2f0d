import { linkSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  oneof,
  record,
  tuple,
  type Arbitrary,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { exactSnapshot, makeFolder, runs } from '@attractor/base/testing';

import { applyPatchExecutor } from '../tools/apply-patch.ts';
import { editFileExecutor } from '../tools/edit-file.ts';
import { globExecutor } from '../tools/glob.ts';
import { grepExecutor } from '../tools/grep.ts';
import { listDirExecutor } from '../tools/list-dir.ts';
import { readFileExecutor } from '../tools/read-file.ts';
import { shellExecutor } from '../tools/shell.ts';
import { writeFileExecutor } from '../tools/write-file.ts';
import type { ToolExecutor } from '../types/index.ts';

/*
 * A program is a list of moves. Somebody else makes, renames and links things inside the root (never following a link); the tools
 * then act on random paths, some while that somebody goes on. Whatever the program, nothing outside is changed or shown.
 */
type Move =
  | { readonly by: 'other'; readonly what: Making; readonly name: string; readonly to: string }
  | { readonly by: 'tool'; readonly what: string; readonly path: string; readonly to: string; readonly waits: boolean };
type Making = 'folder' | 'file' | 'link' | 'hard' | 'rename';

const NAMES = ['a', 'b', 'c', 'x.txt', '.git', 'known'] as const;

/** `T` is the folder above the root. */
const prefix = constantFrom(
  '',
  '',
  '',
  '',
  'T/',
  'T/ws/',
  'T/out/',
  '/proc/self/root/T/',
  '/proc/self/cwd/',
  '/dev/fd/0/',
);
const anyPath = tuple(
  prefix,
  array(constantFrom(...NAMES, '..', '..', '.', 'out', 'ws', ''), { minLength: 1, maxLength: 5 }),
).map(([start, names]) => start + names.join('/'));
const insideName = array(constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));

const other: Arbitrary<Move> = record({
  by: constant('other' as const),
  what: constantFrom<Making>('folder', 'file', 'link', 'link', 'link', 'hard', 'rename'),
  name: insideName,
  to: oneof(anyPath, insideName),
});
const tool: Arbitrary<Move> = record({
  by: constant('tool' as const),
  what: constantFrom('read', 'write', 'edit', 'add', 'delete', 'move', 'list', 'glob', 'grep'),
  path: oneof(anyPath, insideName),
  to: anyPath,
  waits: boolean(),
});

const CALLS: Readonly<Record<string, (asked: string, to: string) => readonly [ToolExecutor, Record<string, unknown>]>> =
  {
    read: (asked) => [readFileExecutor(), { file_path: asked }],
    write: (asked) => [writeFileExecutor, { file_path: asked, content: 'changed' }],
    edit: (asked) => [editFileExecutor, { file_path: asked, old_string: 'text', new_string: 'changed' }],
    add: (asked) => [applyPatchExecutor, { patch: patch(`*** Add File: ${asked}\n+made`) }],
    delete: (asked) => [applyPatchExecutor, { patch: patch(`*** Delete File: ${asked}`) }],
    move: (asked, to) => [
      applyPatchExecutor,
      { patch: patch(`*** Update File: ${asked}\n*** Move to: ${to}\n@@\n-text\n+moved`) },
    ],
    list: (asked) => [listDirExecutor, { path: asked }],
    glob: (asked) => [globExecutor, { pattern: '**/*', path: asked }],
    grep: (asked) => [grepExecutor, { pattern: 'OUTSIDE|text', path: asked }],
    command: (asked) => [shellExecutor(), { command: 'pwd -P; echo changed > made; ls', working_dir: asked }],
  };

const patch = (lines: string): string => `*** Begin Patch\n${lines}\n*** End Patch\n`;

describe('any program of links, swaps and tools', () => {
  const numRuns = runs(80, 10_000);

  it('leaves everything outside as it was and shows nothing of it', async () => {
    const world = makeWorld();
    const program = array(oneof({ weight: 2, arbitrary: other }, { weight: 3, arbitrary: tool }), {
      minLength: 3,
      maxLength: 12,
    });
    await assert(
      asyncProperty(program, async (moves) => world.check(await world.run(moves))),
      { numRuns },
    );
  });

  it('the same for the folder of a command', async () => {
    const world = makeWorld();
    const program = tuple(array(other, { maxLength: 6 }), array(anyPath, { minLength: 1, maxLength: 3 }), array(other));
    await assert(
      asyncProperty(program, async ([before, folders, after]) => {
        const commands = folders.map(
          (asked) => ({ by: 'tool', what: 'command', path: asked, to: '', waits: false }) as const,
        );
        world.check(await world.run([...before, ...commands, ...after]));
      }),
      { numRuns: Math.ceil(numRuns / 20) },
    );
  });
});

function makeWorld() {
  const top = makeFolder({
    'out/known': 'OUTSIDE text',
    'out/a/known': 'OUTSIDE text',
    'out/b/x.txt': 'OUTSIDE text',
    'out/hidden-name': 'OUTSIDE text',
    'out/.git/config': 'OUTSIDE text',
    'shared.txt': 'shared text',
    'hidden-name': 'OUTSIDE text',
  });
  const root = path.join(top, 'ws');
  const place = (text: string): string => text.replaceAll(/\bT\//g, `${top}/`);
  const outside = (): Record<string, string> =>
    Object.fromEntries(Object.entries(exactSnapshot(top)).filter(([name]) => !name.startsWith(root)));
  const reset = (): void => {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(path.join(root, '.git'), { recursive: true });
    writeFileSync(path.join(root, '.git', 'config'), 'git');
    mkdirSync(path.join(root, 'a'));
    writeFileSync(path.join(root, 'a', 'x.txt'), 'text\n');
  };
  reset();
  const before = outside();

  return {
    async run(moves: ReadonlyArray<Move>): Promise<ReadonlyArray<string>> {
      reset();
      const env = createLocalExecutionEnvironment(root);
      const running: Promise<string>[] = [];
      for (const move of moves) {
        if (move.by === 'other') {
          change(root, path.join(top, 'shared.txt'), { ...move, to: place(move.to) });
          continue;
        }
        const [executor, args] = CALLS[move.what]?.(place(move.path), place(move.to)) ?? [];
        const call = executor?.(args ?? {}, env).then((answer) =>
          typeof answer === 'string' ? answer : answer.output,
        );
        running.push(call ?? Promise.resolve(''));
        if (move.waits) await call;
      }
      return Promise.all(running);
    },
    check(shown: ReadonlyArray<string>): void {
      expect(shown.join('\n')).not.toMatch(/OUTSIDE|hidden-name/);
      expect(outside()).toEqual(before);
    },
  };
}

/** What somebody else does inside the root. A link on the way ends it: nobody but the tools may go through one here. */
function change(root: string, shared: string, { what, name, to }: Extract<Move, { by: 'other' }>): void {
  const file = path.join(root, name);
  const target = path.join(root, path.basename(to) || 'a');
  const act: Readonly<Record<Making, () => void>> = {
    folder: () => mkdirSync(file),
    file: () => writeFileSync(file, 'text\n', { flag: 'wx' }),
    link: () => symlinkSync(to, file),
    hard: () => linkSync(shared, file),
    rename: () => renameSync(file, target),
  };
  try {
    if (isPlain(root, path.dirname(name))) act[what]();
  } catch {
    // There already, or not there at all.
  }
}

function isPlain(root: string, folder: string): boolean {
  const names = folder === '.' ? [] : folder.split('/');
  return names.every((_, index) => lstatSync(path.join(root, ...names.slice(0, index + 1))).isDirectory());
}
