import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { bundledProgram, exactSnapshot, makeFolder, runs } from '@attractor/base/testing';

import { anchorBelow, anchorFolder, makeFolders, PROTECTED_NAMES, resolveInside } from '@attractor/confine';

const world = () => {
  const top = makeFolder({
    'ws/src/a.ts': 'fine\n',
    'ws/src/sub/b.ts': 'fine\n',
    'ws/.git/config': 'git\n',
    'ws/.git/sub/b.ts': 'git\n',
    'out/a.ts': 'CANARY\n',
    'out/sub/b.ts': 'CANARY\n',
    'out/canary-name': '',
  });
  const root = path.join(top, 'ws');
  return { top, root, env: createLocalExecutionEnvironment(root) };
};

describe('a held folder', () => {
  it('is still the same after a link took its name', () => {
    const { top, root } = world();
    const { folder } = resolveInside(root, 'src/a.ts');
    const held = anchorFolder(root, folder);
    renameSync(`${root}/src`, `${root}/src.old`);
    symlinkSync('../out', `${root}/src`);
    writeFileSync(`${held.at}/new.txt`, 'x');
    held.close();
    expect(readdirSync(`${top}/out`)).not.toContain('new.txt');
    expect(readdirSync(`${root}/src.old`)).toContain('new.txt');
  });

  it.each(['../out', '.git'])(
    'is refused when a parent became a link to %s between resolving and opening',
    (target) => {
      const { root } = world();
      const { real } = resolveInside(root, 'src/sub');
      renameSync(`${root}/src`, `${root}/src.old`);
      symlinkSync(target, `${root}/src`);
      expect(() => anchorFolder(root, real)).toThrow('replaced');
    },
  );

  it('leads to no other by a link below it: the link is not even followed', () => {
    const { root } = world();
    symlinkSync('src', `${root}/link`);
    const held = anchorFolder(root, root);
    expect(() => anchorBelow(root, held, 'link')).toThrow(/ENOTDIR|ELOOP/);
    held.close();
  });

  it.each(['.husky/deep/x', 'new/.envrc'])(
    'is not made for %s, whatever was checked before: a link may have come meanwhile',
    (asked) => {
      const { root } = world();
      symlinkSync(asked, `${root}/link`);
      expect(() => makeFolders(root, resolveInside(root, 'link'))).toThrow('is protected');
      expect(readdirSync(root).toSorted()).toEqual(['.git', 'link', 'src']);
    },
  );

  it('takes over a folder that another writer made first, and leaves it when its own write fails', () => {
    const { root } = world();
    const resolved = resolveInside(root, 'new/deep/file.txt');
    mkdirSync(path.join(root, 'new'));
    const made = makeFolders(root, resolved);
    made.undo();
    made.close();
    expect(readdirSync(path.join(root, 'new'))).toEqual([]);
  });
});

const ROUNDS = runs(20, 500);
const SEARCHES = runs(5, 100);

describe('while another process swaps names', () => {
  it.each([
    ['a folder for a link to the outside', 'src', '../out'],
    ['a folder for a link to a protected one', 'src', '.git'],
    ['a file for a link to the outside', 'src/a.ts', '../../out/a.ts'],
  ])('nothing outside is read or changed: %s', async (_, name, target) => {
    const { top, root, env } = world();
    const before = { ...exactSnapshot(path.join(top, 'out')), ...exactSnapshot(path.join(root, '.git')) };
    const stop = await race(path.join(root, name), target);
    const seen: string[] = [];
    for (let round = 0; round < ROUNDS; round++) seen.push(...(await everything(env, round)));
    for (let round = 0; round < SEARCHES; round++) seen.push(await env.grep('CANARY', 'src').catch(String));
    await stop();
    expect(seen.join('\n')).not.toMatch(/CANARY|canary-name|\/out\b|\.git/);
    expect(await env.grep('fine', 'src')).toContain('src/a.ts:1:fine');
    // The race alone was the reason to refuse: with the names at rest the same calls are done.
    expect(await everything(env, ROUNDS)).toContain('done');
    expect({ ...exactSnapshot(path.join(top, 'out')), ...exactSnapshot(path.join(root, '.git')) }).toEqual(before);
  });
});

describe('protected names', () => {
  const spellings = (name: string): ReadonlyArray<string> => [
    name,
    name.toUpperCase(),
    `${name}.`,
    `${name} `,
    `${name}::$INDEX_ALLOCATION`,
    `${name.slice(0, 2)}\u200c${name.slice(2)}`,
    ...(name.startsWith('.') ? [`\uff0e${name.slice(1)}`] : []),
  ];

  it.each([...PROTECTED_NAMES])('%s is never made or changed, at any depth, in any spelling', async (name) => {
    const { root, env } = world();
    for (const spelling of spellings(name)) {
      await expect(env.writeFile(`${spelling}/x`, 'x')).rejects.toThrow('is protected');
      await expect(env.writeFile(`deep/er/${spelling}`, 'x')).rejects.toThrow('is protected');
    }
    expect(readdirSync(root).toSorted()).toEqual(['.git', 'src']);
  });

  it.each(['.gitignore', '.gitattributes', '.github/workflows/ci.yml', '.env.example', '.npmrc', 'git', '.eslintrc'])(
    '%s is an ordinary file',
    async (name) => {
      const { env } = world();
      await env.writeFile(name, 'x');
      expect(await env.readText(name)).toBe('x');
    },
  );

  it('are no place to run a command in', async () => {
    const { env } = world();
    await expect(env.execCommand('pwd', { workingDir: '.git' })).rejects.toMatchObject({ code: 'protected' });
  });

  it('may be read', async () => {
    const { env } = world();
    expect(await env.readText('.git/config')).toBe('git\n');
  });
});

describe('a refusal', () => {
  it('is the same whether or not something lies outside', async () => {
    const { env } = world();
    const messages = await Promise.all(
      ['../out/a.ts', '../out/none', '../out/a.ts/x', '../none/x', '/etc/passwd', '/etc/none/x'].map((asked) =>
        env.readText(asked).catch((error: Error) => error.message),
      ),
    );
    expect(new Set(messages).size).toBe(1);
  });

  it.each(['src/a.ts/', 'new/', 'src/a.ts/.'])('answers %s, a file by the name of a folder', async (asked) => {
    const { env } = world();
    await expect(env.writeFile(asked, 'x')).rejects.toMatchObject({ code: 'not_a_directory' });
  });

  it('answers a way back out of a folder that is not there, and makes nothing on it', async () => {
    const { root, env } = world();
    for (const asked of ['none/../src/a.ts', 'none/../new.ts'])
      await expect(env.writeFile(asked, 'x')).rejects.toMatchObject({ code: 'not_found' });
    expect(await env.readText('src/a.ts')).toBe('fine\n');
    expect(readdirSync(root).toSorted()).toEqual(['.git', 'src']);
  });

  it('answers half a character and a NUL', async () => {
    const { env } = world();
    await expect(env.writeFile('a\ud800', 'x')).rejects.toMatchObject({ code: 'invalid_path' });
    await expect(env.readText('a\0b')).rejects.toMatchObject({ code: 'invalid_path' });
  });
});

type Environment = ReturnType<typeof world>['env'];

/** What each operation shows, or why not. */
function everything(env: Environment, round: number): Promise<ReadonlyArray<string>> {
  const operations: ReadonlyArray<() => Promise<unknown>> = [
    () => env.readFile('src/a.ts'),
    () => env.readText('src/sub/b.ts'),
    () => env.writeFile('src/a.ts', 'fine\n').then(() => 'done'),
    () => env.writeFile(`src/sub/new-${round}.ts`, 'fine\n'),
    () => env.deleteFile(`src/sub/new-${round}.ts`),
    () => env.listDirectory('src', 3),
    ...(round % 10 === 0
      ? [
          // The kernel's word: the shell's own `pwd -P` looks its remembered name up again, and finds the link.
          () => env.execCommand('readlink /proc/self/cwd; echo x >> made', { workingDir: 'src' }),
        ]
      : []),
  ];
  return Promise.all(
    operations.map((run) =>
      run().then(
        (value) => (typeof value === 'string' ? value : JSON.stringify(value ?? '')),
        (error: Error) => `refused: ${error.name}`,
      ),
    ),
  );
}

async function race(name: string, target: string): Promise<() => Promise<void>> {
  const program = bundledProgram(path.join(import.meta.dirname, '../test-support/swap-racer-child.ts'));
  const racer = spawn(process.execPath, [program, name, target], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void racer.kill('SIGKILL'));
  await once(racer.stdout, 'data');
  const ended = once(racer, 'exit');
  return async () => {
    racer.stdin.end();
    expect(await ended).toEqual([0, null]);
  };
}
