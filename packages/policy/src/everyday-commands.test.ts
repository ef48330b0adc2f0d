import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { policyOf } from './test-support/rules.ts';

type Listed = { readonly reads: ReadonlyArray<string>; readonly asks: ReadonlyArray<string> };

const { reads, asks }: Listed = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'fixtures/everyday-commands.json'), 'utf8'),
);

/** What `docs/permissions.md` promises of commands that only read. */
const PROMISED = 0.95;

describe('everyday commands', () => {
  it('that only read run without a question, all but a few; none of the others does', async () => {
    const root = project();
    const policy = policyOf({}, { root, variables: { PATH: '/usr/bin:/bin', HOME: '/home/me' } });
    const decide = async (command: string) => (await policy.judge({ toolName: 'shell', args: { command } })).decision;
    const asked: string[] = [];
    for (const command of reads) if ((await decide(command)) !== 'allow') asked.push(command);
    expect(1 - asked.length / reads.length, asked.join('\n')).toBeGreaterThanOrEqual(PROMISED);
    const ran: string[] = [];
    for (const command of asks) if ((await decide(command)) === 'allow') ran.push(command);
    expect(ran).toEqual([]);
  });
});

function project(): string {
  const root = makeFolder({
    'a.txt': 'b\na\nc\n',
    'b.txt': 'a\nb\n',
    'data.csv': 'a,1\nb,2\n',
    'README.md': '# Title\n',
    'package.json': '{"name":"x","version":"1.0.0"}\n',
    'src/app.ts': 'export const a = 1;\n',
    'sub/q.txt': 'q\n',
    'in/a': 'x',
    'in/b': 'x',
  });
  const git = (...args: ReadonlyArray<string>): void => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.test'];
    execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'ignore' });
  };
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'first');
  return root;
}
