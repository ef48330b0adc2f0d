import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, runs } from '@attractor/base/testing';
import { diskOf } from './disk.ts';
import { readShell } from './read-shell.ts';
import { decisionOf } from './test-support/decide.ts';
import { fillOddly, oddCommand, plantProgram } from './test-support/odd-folders.ts';
import { createTracer } from './test-support/traced-run.ts';

const PATH = '/usr/bin:/bin';

describe('commands that are allowed in a folder of odd names and links', () => {
  it('write nothing, start nothing of the workspace and read nothing outside it when they are really run', ({
    skip,
  }) => {
    const random = numbers(runs(7, Math.floor(Math.random() * 2 ** 31)));
    const found: unknown[] = [];
    let allowed = 0;
    const worlds = runs(4, 150);
    for (let world = 0; world < worlds; world += 1) {
      const root = makeFolder({ 'bin/README': 'x' });
      const outside = makeFolder({ 'letters.txt': 'a letter\n', 'further/b.txt': 'another\n' });
      fillOddly(root, outside, random);
      const bin = join(root, 'bin');
      plantProgram(bin, ['cat', 'ls', 'grep', 'xargs', 'find', 'wc'][random(6)] ?? 'cat');
      const disk = diskOf(`${bin}:${PATH}`, [root]);
      const trace = createTracer({ project: root, place: root, scratch: makeFolder(), outside, programs: [bin] });
      if (trace === null) return skip('no tracer here: bubblewrap or strace is missing, or may not run');
      for (let at = 0; at < 400 && allowed < (world + 1) * 12; at += 1) {
        const command = oddCommand(random);
        if (decisionOf(readShell(command, { cwd: root, root, home: '/home/me', disk })) !== 'allow') continue;
        allowed += 1;
        const findings = trace(command);
        if (findings.length > 0) found.push({ command, findings });
      }
    }
    expect(found).toEqual([]);
    expect(allowed).toBeGreaterThan(worlds * 5);
  });

  it('are seen when they read outside or start a program of the workspace', ({ skip }) => {
    const root = makeFolder({ 'bin/README': 'x', 'docs/a.md': 'x' });
    const outside = makeFolder({ 'letters.txt': 'a letter\n' });
    const bin = join(root, 'bin');
    plantProgram(bin, 'ls');
    writeFileSync(join(root, 'list'), 'x');
    fillOddly(root, outside, () => 0);
    const trace = createTracer({ project: root, place: root, scratch: makeFolder(), outside, programs: [bin] });
    if (trace === null) return skip('no tracer here: bubblewrap or strace is missing, or may not run');
    expect(trace('cat z').join()).toContain('letters.txt');
    expect(trace('ls').join()).toContain('bin/ls');
  });
});

/** The same start, the same numbers. */
function numbers(start: number): (limit: number) => number {
  let state = (start ^ 0x9e3779b9) >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
