import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { policyOf, type Lists } from './test-support/rules.ts';
import type { PermissionMode } from './types.ts';

const CHECKS = ['npm test', 'npm run lint && npm run types > report.txt', 'rm -rf /'];

const world = () => {
  const root = makeFolder({ 'sub/package.json': '{}', 'secrets/key': 'x' });
  return async (command: string, more: { readonly lists?: Lists; readonly mode?: PermissionMode; cwd?: string } = {}) =>
    policyOf(more.lists ?? {}, { root, checks: CHECKS, mode: more.mode ?? 'acceptEdits' }).judge({
      toolName: 'shell',
      args: { command },
      ...(more.cwd === undefined ? {} : { workingDir: more.cwd }),
    });
};

describe('a check of the task', () => {
  it('runs unasked as it is written, and as the same simple command among reads and edits', async () => {
    const judge = world();
    for (const command of [
      'npm test',
      ' npm test\n',
      'npm run lint && npm run types > report.txt',
      'npm test 2>&1 | tail -20',
      "n'pm' test && git status",
      'cd sub && cd .. && npm test',
      'npm test > out.txt',
      'timeout 60 npm test',
    ])
      expect([command, (await judge(command)).decision]).toEqual([command, 'allow']);
    expect(await judge('npm test')).toMatchObject({ decision: 'allow', reason: 'it is a check of this task' });
    expect(await judge('npm test', { mode: 'dontAsk' })).toMatchObject({ decision: 'allow' });
  });

  it('is none in another folder, with other words, variables or redirections, or as part of more', async () => {
    const judge = world();
    for (const command of [
      'npm test -- --update',
      'npm run lint',
      'npm run lint && npm run types > other.txt',
      'cd sub && npm test',
      '(cd sub; npm test)',
      'NODE_OPTIONS=--require=./x.js npm test',
      'export NODE_OPTIONS=--require=./x.js; npm test',
      'PATH=.:$PATH; npm test',
      'npm test > /etc/motd',
      'npm test; npm publish',
      'npm() { ./x; }; npm test',
      'alias npm=./x; npm test',
      'bash -c "npm test; ./x"',
      'echo test | xargs npm',
      'npm $WHAT',
      './npm test',
    ])
      expect([command, (await judge(command)).decision]).not.toEqual([command, 'allow']);
    expect(await judge('npm test', { cwd: 'sub' })).toMatchObject({ decision: 'ask' });
    expect(await judge('cd .. && npm test', { cwd: 'sub' })).toMatchObject({ decision: 'allow' });
  });

  it('is no word against a rule, against what destroys, or for a run that changes nothing', async () => {
    const judge = world();
    expect(await judge('npm test', { lists: { deny: ['Bash(npm *)'] } })).toMatchObject({ decision: 'deny' });
    expect(await judge('npm test', { lists: { ask: ['Bash(npm test)'] } })).toMatchObject({ decision: 'ask' });
    expect(await judge('rm -rf /')).toMatchObject({ decision: 'deny' });
    expect(await judge('npm test', { mode: 'plan' })).toMatchObject({ decision: 'deny' });
  });
});
