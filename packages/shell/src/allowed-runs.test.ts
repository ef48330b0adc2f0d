import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, runs, soakSeed } from '@attractor/base/testing';

import { decide, PLACES } from './test-support/decide.ts';
import { generateCommand } from './test-support/generated-commands.ts';
import { callFromTables } from './test-support/table-forms.ts';
import { createTracer } from './test-support/traced-run.ts';

const given: ReadonlyArray<string> = ['further.json', 'everyday.json', 'corners.json'].flatMap(
  (name) => JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')).allow,
);

describe('commands that are allowed unasked', () => {
  it('start nothing else, write nothing and connect to nothing when they are really run', ({ skip }) => {
    const trace = createTracer({ project: project(), place: PLACES.root, scratch: makeFolder() });
    if (trace === null) return skip('no tracer here: bubblewrap or strace is missing, or may not run');
    const seed = soakSeed(1);
    expect(trace(allowed(seed, runs(8, 20_000))), `SOAK_SEED=${String(seed)}`).toEqual([]);
  });

  it('does see a command that writes, starts another or changes a name', ({ skip }) => {
    const trace = createTracer({ project: project(), place: PLACES.root, scratch: makeFolder() });
    if (trace === null) return skip('no tracer here: bubblewrap or strace is missing, or may not run');
    const findings = (command: string): string =>
      trace([command])
        .flatMap((one) => one.findings)
        .join();
    expect(findings('echo x > made')).toBe('opens made for writing');
    expect(findings('xxd -ac a.txt b.txt')).toMatch(/b\.txt for writing|^$/);
    expect(findings('awk \'BEGIN { system("true") }\'')).toContain('starts');
    expect(findings('rm a.txt')).toContain('unlink');
  });
});

/** Of each kind a third: from the lists, from the tables, and lists that were cut up and joined anew. */
function allowed(start: number, count: number): ReadonlyArray<string> {
  const pick = (make: (seed: number) => string): ReadonlyArray<string> => {
    const found = new Set<string>();
    for (let at = 0; at < count * 40 && found.size < count / 3; at += 1) {
      const command = make(start + at * 7_919);
      if (decide(command) === 'allow' && !WAITS.test(command)) found.add(command);
    }
    return [...found];
  };
  return [
    ...pick((seed) => given[seed % given.length] ?? 'ls'),
    ...pick(callFromTables),
    ...pick((seed) => generateCommand(seed, given)),
  ];
}

/** They may take seconds, and write where they keep too much for memory. */
const WAITS = /\bsleep\b|\btac\b/;

function project(): string {
  const root = makeFolder({
    'a.txt': 'b\na\nc\n',
    'b.txt': 'a\nb\n',
    'README.md': '# Title\n',
    'package.json': '{"name":"x","version":"1.0.0"}\n',
    'src/app.ts': 'export const a = 1;\n',
    'src/index.ts': '// first\n',
    'data/names.txt': 'x\ny\n',
    x: '#!/bin/sh\ntouch PWNED\n',
  });
  const git = (...args: ReadonlyArray<string>): void => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.test', '-c', 'safe.directory=*'];
    execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'ignore' });
  };
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'first');
  git('commit', '-q', '--allow-empty', '-m', 'second');
  git('tag', 'v1.0.0');
  return root;
}
