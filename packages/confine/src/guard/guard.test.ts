import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGuard, type Guard } from './guard.ts';

function guarded(prepare: (root: string) => void): { readonly root: string; readonly guard: Guard } {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'guard-')));
  prepare(root);
  const guard = createGuard({
    roots: [root],
    homes: [],
    allowed: [],
    onKnown: () => undefined,
    onBeat: () => undefined,
  });
  onTestFinished(() => {
    guard.close();
    rmSync(root, { recursive: true });
  });
  guard.survey();
  guard.begin([], () => []);
  return { root, guard };
}

test('a folder that gets the number of the link it replaced is not taken for the link moved', async () => {
  const { root, guard } = guarded((at) => symlinkSync('shared', path.join(at, '.cursor')));
  const at = path.join(root, '.cursor');
  for (let round = 0; round < 5; round++) {
    rmSync(at);
    mkdirSync(at);
    writeFileSync(path.join(at, 'mcp.json'), 'evil');
    await guard.refused();
    expect(readlinkSync(at)).toBe('shared');
  }
  guard.end();
});

test('what came between the loss of a link and its return is put aside like anything else', async () => {
  const { root, guard } = guarded((at) => symlinkSync('shared', path.join(at, '.cursor')));
  const at = path.join(root, '.cursor');
  for (let round = 0; round < 5; round++) {
    rmSync(at);
    await new Promise((resolve) => setImmediate(resolve));
    rmSync(at, { force: true });
    mkdirSync(at);
    await guard.refused();
    expect(readlinkSync(at)).toBe('shared');
  }
  guard.end();
});

test('a command that begins before the last one is given back is not ended for what that one made', async () => {
  const { root, guard } = guarded(() => undefined);
  const stopped: number[] = [];
  let refused = 0;
  for (let command = 0; command < 3; command++) {
    if (command > 0) guard.begin([], () => []);
    const calm = guard.onStubborn(() => stopped.push(command));
    for (let made = 0; made < 12; made++) {
      writeFileSync(path.join(root, '.envrc'), 'x');
      refused += (await guard.refused()).length;
    }
    calm();
  }
  expect(stopped).toEqual([]);
  expect(refused).toBeGreaterThan(24);
});

test('a known file that moves along with its folder is left alone', async () => {
  const { root, guard } = guarded((at) => {
    mkdirSync(path.join(at, 'one'));
    writeFileSync(path.join(at, 'one/.envrc'), 'known');
  });
  renameSync(path.join(root, 'one'), path.join(root, 'two'));
  expect(await guard.refused()).toEqual([]);
  guard.end();
});

test('what the host itself makes while a command runs stays, and what a command makes beside it does not', async () => {
  const { root, guard } = guarded(() => undefined);
  const tree = path.join(root, 'trees/one');
  const admitted = guard.admit(tree);
  mkdirSync(path.join(tree, '.claude'), { recursive: true });
  mkdirSync(path.join(root, '.claude'));
  expect(await guard.refused()).toMatchObject([{ at: path.join(root, '.claude') }]);
  mkdirSync(path.join(tree, 'deep/.vscode'), { recursive: true });
  admitted();
  guard.end();
  mkdirSync(path.join(tree, '.cursor'));
  guard.begin([], () => []);
  guard.end();
  expect((await guard.refused()).map(({ at }) => path.relative(tree, at))).toEqual(['.cursor']);
  expect(readdirSync(tree).filter((name) => ['.claude', 'deep'].includes(name))).toEqual(['.claude', 'deep']);
});
