import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, runs } from '@attractor/base/testing';
import { diskOf } from './disk.ts';
import { readShell } from './read-shell.ts';
import { decisionOf } from './test-support/decide.ts';
import { createTracer } from './test-support/traced-run.ts';

/** Made by `scripts/gather-commands.mjs`. */
const found: ReadonlyArray<string> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/found-commands.json'), 'utf8'),
);

describe('2,000 commands from READMEs, Makefiles, CI files and scripts of packages', () => {
  it('that are allowed write, start and read nothing that was not judged when they are really run', ({ skip }) => {
    const root = makeFolder({
      'package.json': '{"name":"x"}',
      'README.md': '# x\n',
      'src/index.js': '1\n',
      'dist/a.js': '1\n',
    });
    const outside = makeFolder({ 'letters.txt': 'mine\n' });
    const disk = diskOf('/usr/bin:/bin', [root]);
    const allowed = found.filter(
      (command) => decisionOf(readShell(command, { cwd: root, root, home: '/home/me', disk })) === 'allow',
    );
    expect(found).toHaveLength(2_000);
    expect(allowed.length).toBeGreaterThan(0);
    const trace = createTracer({ project: root, place: root, scratch: makeFolder(), outside });
    if (trace === null) return skip('no tracer here: bubblewrap or strace is missing, or may not run');
    const step = Math.ceil(allowed.length / runs(15, allowed.length));
    expect(trace(allowed.filter((_command, at) => at % step === 0))).toEqual([]);
  });
});
