import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { makeFolder, runs } from '@attractor/base/testing';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from './sandbox.ts';

/** Ways to name a place. */
const NAMES: ReadonlyArray<(at: string) => string> = [
  (at) => at,
  (at) => path.dirname(at),
  (at) => `${path.dirname(at)}/x`,
  (at) => `/proc/self/root${at}`,
  (at) => `/proc/1/root${path.dirname(at)}/x`,
  (at) => `/${at}`,
  (at) => `${path.dirname(at)}/../${path.basename(path.dirname(at))}/x`,
  (at) => `${path.dirname(at)}/./x`,
  (at) => `file://${at}`,
  (at) => `unix:${at}`,
];

/** Texts around a name, as they stand in commands. `%` is the name. */
const AROUND = [
  '%;true',
  '% -x',
  "'%' a",
  '"%";id',
  'env A=% true',
  'A=% true',
  'cd % && ls',
  '. %',
  'source %',
  'exec %',
  'tmux -S % run-shell id',
  'bash -c "%; true"',
  "sh -c '%'",
  '$(printf %s %)',
  'ls < %',
  'cat <(cat %)',
  'PATH=%:$PATH x',
  'LD_PRELOAD=% true',
  'node --require % x.js',
  'git -C % status',
  '#!%',
  '\n%\n',
  '%\t%',
  '{ %; }',
  'sudo %',
];

test('what is mounted does not depend on the text of a command', async () => {
  const top = makeFolder({ 'work/a.txt': 'x', 'home/.netrc': 'x' });
  const kept = makeFolder({ 'deep/tool': '#!/bin/sh\n' });
  const socket = path.join(kept, 'deep/s');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  mkdirSync(path.join(kept, 'deep/folder'));
  writeFileSync(path.join(kept, 'deep/folder/program'), '#!/bin/sh\n', { mode: 0o755 });
  const roots = [path.join(top, 'work')];
  const bubblewrap = { path: '/usr/bin/bwrap', lacks: [] };
  const sandbox = createSandbox({ bubblewrap, roots, homes: [path.join(top, 'home')] });
  onTestFinished(() => sandbox.close());
  const mounted = (argv: readonly [string, ...string[]]): string => {
    const { args, release } = sandbox.wrap({ argv, cwd: roots[0] ?? '/' });
    const files = args.filter((word) => word.includes('/arguments')).map((file) => readFileSync(file, 'utf8'));
    release();
    return files.join('\0');
  };
  const plain = mounted(['/bin/bash', '-c', 'true']);
  expect(plain).toContain(`--bind\0${roots[0]}\0`);
  const places = ['deep/s', 'deep/tool', 'deep/folder', 'deep/folder/program'].map((name) => path.join(kept, name));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...AROUND), fc.constantFrom(...NAMES), fc.constantFrom(...places)), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.constantFrom('-c', '-lc', '--'),
      (parts, option) => {
        const text = parts.map(([around, name, at]) => around.replaceAll('%', () => name(at))).join('; ');
        const words = mounted(['/bin/bash', option, text]);
        expect(words).not.toContain(kept);
        expect(words).toContain(`--bind\0${roots[0]}\0`);
      },
    ),
    { numRuns: runs(60, 100_000) },
  );
});
