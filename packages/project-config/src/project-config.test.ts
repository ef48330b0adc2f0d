import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { examineTrust, trustRepository } from '@attractor/settings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeFolder, must, runs } from '@attractor/store/testing';
import { parseConfig } from './parse-config.ts';
import { followedConfig, readHomeConfig, readProjectConfig } from './project-config.ts';

const parse = (text: string, isOurs = true) => parseConfig({ path: '/p/config.json', text, isOurs });
const messageOf = (text: string): string => {
  const parsed = parse(text);
  return parsed.ok ? 'fine' : parsed.error.message;
};

function repositoryWith(files: Readonly<Record<string, string>>): string {
  const folder = makeFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

describe('the configuration of a project', () => {
  it('reads checks as commands and as objects, and writes them alike', () => {
    const { checks, secrets } = must(
      parse(`{"checks": {
        "build": "npm run build",
        "lint": { "command": "npm run lint", "severity": "warning", "modes": ["implement", "review"], "timeout": 5000 },
        "test": { "command": "npm test", "enabled": false },
        "types": false,
        "no-secrets": { "severity": "warning" }
      }}`),
    );
    expect(checks).toEqual([
      {
        name: 'build',
        command: 'npm run build',
        severity: 'error',
        modes: ['implement'],
        timeoutMs: null,
        strict: false,
      },
      {
        name: 'lint',
        command: 'npm run lint',
        severity: 'warning',
        modes: ['implement', 'review'],
        timeoutMs: 5000,
        strict: false,
      },
    ]);
    expect(secrets).toEqual({ isOn: true, isNamed: true, severity: 'warning', modes: null });
  });

  it('reads set-up as one command, a list, or an object', () => {
    const setupOf = (text: string) => must(parse(text)).setup;
    expect(setupOf('{"setup": "npm ci"}')).toEqual({
      commands: ['npm ci'],
      timeoutMs: 600_000,
      inputs: [],
      shared: [],
    });
    expect(setupOf('{"setup": ["a", "b"]}')?.commands).toEqual(['a', 'b']);
    expect(setupOf('{"setup": {"command": "a", "timeout": 9, "inputs": ["x.lock"], "shared": ["deps"]}}')).toEqual({
      commands: ['a'],
      timeoutMs: 9,
      inputs: ['x.lock'],
      shared: ['deps'],
    });
    expect(setupOf('{}')).toBeNull();
  });

  it.each([
    [
      '{\n"checks": {\n"test": { "comand": "x" } } }',
      '/p/config.json:3: unknown key "checks.test.comand"',
      'did you mean "checks.test.command"?',
    ],
    ['{\n"checks": { "test": {} } }', '/p/config.json:2: "checks.test" has no command', 'checks.test.command'],
    ['{"checks": { "build": true } }', 'checks.build.command', 'switch it off with false'],
    [
      '{"checks": { "test": { "command": "x", "severity": "fatal" } } }',
      '"checks.test.severity" must be one of',
      '"error", "warning"',
    ],
    [
      '{"checks": { "test": { "command": "x", "modes": ["deploy"] } } }',
      '"checks.test.modes" must be a list of modes',
      'implement',
    ],
    ['{"checks": []}', '"checks" must be an object', '{ … }'],
    ['{"agents": { "native": { "maxTurns": "many" } } }', '"agents.native.maxTurns" must be', 'a whole number'],
    ['{"agents": { "native": { "modle": "x" } } }', 'unknown key "agents.native.modle"', 'agents.native.model'],
    ['{"git": { "rebaseOnStart": "yes" } }', '"git.rebaseOnStart" must be', 'true or false'],
    ['{"setup": 5}', '"setup" must be', 'a list of commands'],
    ['{\n\n"setpu": "npm ci"}', '/p/config.json:3: unknown key "setpu"', 'did you mean "setup"?'],
    ['{"checks": ', '/p/config.json:1: not valid JSON', 'expected'],
    ['[]', '/p/config.json:1: expected an object', ''],
  ])('refuses %j with the line and what is expected', (text, ...said) => {
    for (const words of said) expect(messageOf(text)).toContain(words);
  });

  it('takes unknown keys in a file that others write to, and in agents that are defined there', () => {
    expect(parse('{"somethingElse": 1}', false).ok).toBe(true);
    expect(messageOf('{"agents": {"mine": {"type": "cli", "command": ["x", "{prompt}"], "maxTurns": 3}}}')).toBe(
      'fine',
    );
  });

  it('never throws, and never lets an unknown check through, whatever the text', () => {
    const json = fc.json({ maxDepth: 4 });
    fc.assert(
      fc.property(
        fc.oneof(
          json,
          fc.string(),
          json.map((value) => `{"checks": ${value}, "agents": ${value}}`),
        ),
        (text) => {
          const parsed = parse(text);
          if (parsed.ok) for (const check of parsed.value.checks) expect(check.command.trim()).not.toBe('');
          else expect(parsed.error.message).toMatch(/^\/p\/config\.json:\d+: /);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('counts as soon as a person trusts it, instructions and copied files included, and not before', async () => {
    const home = makeFolder();
    const path = repositoryWith({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.attractor/config.json': '{"checks": {"test": 5}}',
      '.agents-manager/config.json': '{"checks": {"test": "theirs"}}',
      '.agents-manager/instructions.md': 'Be kind.\n',
      '.worktreeinclude': '.env\n',
    });
    const before = must(followedConfig(path, { home }));
    expect(before).toMatchObject({ checks: [], trust: 'unknown', instructions: null, worktreeInclude: null });
    expect(readProjectConfig(path, { home }).ok).toBe(false);
    writeFileSync(join(path, '.attractor/config.json'), '{"checks": {"test": "ours"}}');
    expect((await trustRepository(examineTrust(path, { home }), { home })).ok).toBe(true);
    expect(must(followedConfig(path, { home }))).toMatchObject({
      checks: [{ command: 'ours' }],
      trust: 'trusted',
      instructions: 'Be kind.',
      worktreeInclude: '.env\n',
    });
    writeFileSync(join(path, '.worktreeinclude'), '*\n');
    expect(must(followedConfig(path, { home }))).toMatchObject({ trust: 'changed', worktreeInclude: null });
  });

  it('of a person is read from the home folder, where other settings stand too', async () => {
    const home = repositoryWith({ 'config.json': '{\n"permissions": {},\n"agents": {"native": {"model": "m"}}}' });
    expect(must(await readHomeConfig(home))).toMatchObject({
      agents: { native: { model: 'm' } },
      lines: { 'agents.native.model': 3 },
    });
    expect(must(await readHomeConfig(makeFolder())).agents).toEqual({});
  });
});
