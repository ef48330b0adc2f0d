import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { parseRule } from './parse-rule.ts';
import { policyOf, type Lists } from './test-support/rules.ts';
import type { Decision, PermissionMode } from './types.ts';

const MODES: ReadonlyArray<PermissionMode> = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'];

const write = (file: string) => ({ toolName: 'write_file', args: { file_path: file, content: 'x' } });
const read = (file: string) => ({ toolName: 'read_file', args: { file_path: file }, readOnly: true });
const fetched = (url: string) => ({ toolName: 'web_fetch', args: { url } });

describe('T6: rules hold in every mode', () => {
  const root = '/tmp';
  const calls = {
    'an edit inside': write('a.txt'),
    'an edit outside': write('/elsewhere/a.txt'),
    'a read inside': read('a.txt'),
    'a read outside': read('/elsewhere/a.txt'),
    'a page': fetched('https://good.test/x'),
    'a foreign tool': { toolName: 'mcp__db__query', args: {} },
    'a tool of the host that only reads': { toolName: 'report', args: {}, readOnly: true },
    'a tool of the host that changes': { toolName: 'deploy', args: {} },
  } as const;

  const EXPECTED: Readonly<Record<keyof typeof calls, ReadonlyArray<Decision>>> = {
    'an edit inside': ['ask', 'allow', 'deny', 'deny', 'allow'],
    'an edit outside': ['ask', 'ask', 'deny', 'deny', 'allow'],
    'a read inside': ['allow', 'allow', 'allow', 'allow', 'allow'],
    'a read outside': ['ask', 'ask', 'ask', 'deny', 'allow'],
    'a page': ['ask', 'ask', 'ask', 'deny', 'allow'],
    'a foreign tool': ['ask', 'ask', 'deny', 'deny', 'allow'],
    'a tool of the host that only reads': ['allow', 'allow', 'allow', 'allow', 'allow'],
    'a tool of the host that changes': ['ask', 'ask', 'deny', 'deny', 'allow'],
  };
  const RULES: Readonly<Record<keyof typeof calls, string>> = {
    'an edit inside': 'Edit(a.txt)',
    'an edit outside': 'Edit(//elsewhere/**)',
    'a read inside': 'Read(a.txt)',
    'a read outside': 'Read(//elsewhere/**)',
    'a page': 'WebFetch(domain:good.test)',
    'a foreign tool': 'mcp__db',
    'a tool of the host that only reads': 'report',
    'a tool of the host that changes': 'deploy',
  };
  const names = Object.keys(calls) as Array<keyof typeof calls>;

  it.each(names)('%s, without rules and with a rule of each kind', async (name) => {
    const decide = async (mode: PermissionMode, lists: Lists): Promise<Decision> =>
      (await policyOf(lists, { root, mode }).judge(calls[name])).decision;
    const rule = [RULES[name]];
    for (const [index, mode] of MODES.entries()) {
      const expected = EXPECTED[name][index];
      expect([mode, await decide(mode, {})]).toEqual([mode, expected]);
      expect([mode, await decide(mode, { deny: rule, allow: rule, ask: rule })]).toEqual([mode, 'deny']);
      const asked = mode === 'dontAsk' || (mode === 'plan' && expected === 'deny') ? 'deny' : 'ask';
      expect([mode, await decide(mode, { ask: rule, allow: rule })]).toEqual([mode, asked]);
      const allowed = mode === 'plan' && expected === 'deny' ? 'deny' : 'allow';
      expect([mode, await decide(mode, { allow: rule })]).toEqual([mode, allowed]);
    }
  });

  it('bypassPermissions without a sandbox is default', async () => {
    const policy = policyOf({}, { root, mode: 'bypassPermissions', sandboxed: false });
    expect(await policy.judge(write('a.txt'))).toMatchObject({ decision: 'ask' });
  });
});

describe('a judgement', () => {
  it('names the rule with its file and line, the part, and the smallest rule that would allow it', async () => {
    const root = makeFolder({ 'src/a.ts': '' });
    const denied = await policyOf({ deny: ['Bash(x)', 'Edit(src/**)'] }, { root }).judge(write('src/a.ts'));
    expect(denied).toMatchObject({
      decision: 'deny',
      part: 'src/a.ts',
      rule: { text: 'Edit(src/**)', origin: { line: 2 } },
    });
    expect(denied.reason).toBe('denied by the deny rule Edit(src/**) of /settings/deny.json:2');
    const asked = await policyOf({}, { root }).judge(write('src/a.ts'));
    expect(asked).toMatchObject({ decision: 'ask', suggestion: 'Edit(/src/a.ts)', needs: ['Edit(/src/a.ts)'] });
    expect(await policyOf({ allow: ['Edit(/src/a.ts)'] }, { root }).judge(write('src/a.ts'))).toMatchObject({
      decision: 'allow',
    });
  });

  it('takes the files of a patch from the patch, each of them', async () => {
    const root = makeFolder({ 'a.ts': 'x\n' });
    const patch = [
      '*** Begin Patch',
      '*** Update File: a.ts',
      '*** Move to: secret/b.ts',
      '@@',
      '-x',
      '+y',
      '*** End Patch',
    ].join('\n');
    const call = { toolName: 'apply_patch', args: { patch } };
    expect(await policyOf({ deny: ['Edit(secret/**)'] }, { root, mode: 'acceptEdits' }).judge(call)).toMatchObject({
      decision: 'deny',
      part: 'secret/b.ts',
    });
    expect(await policyOf({ allow: ['Edit(/a.ts)'] }, { root }).judge(call)).toMatchObject({
      decision: 'ask',
      part: 'secret/b.ts',
    });
    expect(await policyOf({}, { root, mode: 'acceptEdits' }).judge(call)).toMatchObject({ decision: 'allow' });
  });

  it('that reads what no rule speaks of under the spelling of each profile', async () => {
    const policy = policyOf({ deny: ['Read(.env)'] }, { root: makeFolder({ '.env': 'A=1' }) });
    for (const call of [
      { toolName: 'read_file', args: { path: '.env' } },
      { toolName: 'read_file', args: { file_path: './.env' } },
      { toolName: 'edit_file', args: { file_path: '.env', old_string: 'a', new_string: 'b' } },
      { toolName: 'grep', args: { pattern: 'A', path: '.env' } },
      { toolName: 'Read', args: { file_path: 'sub/../.env' } },
      { toolName: 'MultiEdit', args: { file_path: '.env', edits: [] } },
      { toolName: 'NotebookEdit', args: { notebook_path: '.env' } },
      { toolName: 'read_many_files', args: { paths: ['src/**', '.env'] } },
      { toolName: 'search_file_content', args: { pattern: 'A', dir_path: '.env' } },
      { toolName: 'replace', args: { file_path: '.env', old_string: 'a', new_string: 'b' } },
      { toolName: 'view_image', args: { path: '.env' } },
      { toolName: 'glob', args: { pattern: '.env' } },
    ])
      expect([call, (await policy.judge(call)).decision]).toEqual([call, 'deny']);
  });
});

describe('paths', () => {
  it('begin at the file system, the home, the root of the rule or the working directory', async () => {
    const root = makeFolder({ 'src/deep/a.ts': '', 'b.ts': '' });
    const cases: ReadonlyArray<readonly [string, string, boolean]> = [
      ['Edit(//elsewhere/x)', '/elsewhere/x', true],
      ['Edit(//elsewhere/x)', 'elsewhere/x', false],
      ['Edit(~/x/**)', '/home/me/x/y/z', true],
      ['Edit(~/x/**)', '/home/me/xy', false],
      ['Edit(/src/**)', 'src/deep/a.ts', true],
      ['Edit(/deep/**)', 'src/deep/a.ts', false],
      ['Edit(a.ts)', 'src/deep/a.ts', true],
      ['Edit(./a.ts)', 'src/deep/a.ts', false],
      ['Edit(*.ts)', 'src/deep/a.ts', true],
      ['Edit(src)', 'src/deep/a.ts', true],
      ['Edit(src/*.ts)', 'src/deep/a.ts', false],
      ['Edit(**/a.ts)', 'src/deep/a.ts', true],
      ['Edit(../x/**)', path.join(path.dirname(root), 'x/y'), true],
    ];
    for (const [rule, file, isAllowed] of cases) {
      const { decision } = await policyOf({ allow: [rule] }, { root }).judge(write(file));
      expect([rule, file, decision]).toEqual([rule, file, isAllowed ? 'allow' : 'ask']);
    }
  });

  it('of links: an allow rule has to fit link and target, a deny rule either', async () => {
    const root = makeFolder({ 'open/a.txt': '', 'shut/b.txt': '' });
    const outside = makeFolder({ 'c.txt': '' });
    symlinkSync('../shut/b.txt', path.join(root, 'open/link'));
    symlinkSync(outside, path.join(root, 'open/out'));
    symlinkSync('loop', path.join(root, 'open/loop'));
    const decide = async (lists: Lists, file: string, mode: PermissionMode = 'default') =>
      (await policyOf(lists, { root, mode }).judge(write(file))).decision;
    expect(await decide({ allow: ['Edit(/open/**)'] }, 'open/a.txt')).toBe('allow');
    expect(await decide({ allow: ['Edit(/open/**)'] }, 'open/link')).toBe('ask');
    expect(await decide({ allow: ['Edit(/shut/**)'] }, 'open/link')).toBe('ask');
    expect(await decide({ allow: ['Edit(/**)'] }, 'open/link')).toBe('allow');
    expect(await decide({ deny: ['Edit(/shut/**)'] }, 'open/link', 'acceptEdits')).toBe('deny');
    expect(await decide({ deny: ['Edit(/open/link)'] }, 'open/link', 'acceptEdits')).toBe('deny');
    expect(await decide({}, 'open/out/c.txt', 'acceptEdits')).toBe('ask');
    expect(await decide({ allow: ['Edit'] }, 'open/loop', 'acceptEdits')).toBe('ask');
  });

  it('that are protected are never allowed, by no rule and no mode', async () => {
    const root = makeFolder();
    mkdirSync(path.join(root, '.git/hooks'), { recursive: true });
    writeFileSync(path.join(root, '.git/hooks/x'), '');
    symlinkSync('.git/hooks/x', path.join(root, 'innocent'));
    for (const mode of MODES)
      for (const file of ['.git/hooks/x', 'innocent', '.claude/settings.json', 'sub/.vscode/tasks.json'])
        expect(await policyOf({ allow: ['Edit', 'Edit(//**)'] }, { root, mode }).judge(write(file))).toMatchObject({
          decision: 'deny',
        });
  });

  it('a Read deny stops edits and searches, and hides what searches would show', async () => {
    const root = makeFolder({ 'secret/a.txt': '' });
    const policy = policyOf({ deny: ['Read(secret/**)'] }, { root, mode: 'acceptEdits' });
    expect(await policy.judge(write('secret/a.txt'))).toMatchObject({ decision: 'deny' });
    expect(await policy.judge({ toolName: 'grep', args: { pattern: 'x', path: 'secret/a.txt' } })).toMatchObject({
      decision: 'deny',
    });
    expect([policy.deniesReading('secret/a.txt'), policy.deniesReading('a.txt')]).toEqual([true, false]);
  });
});

describe('T26: hosts are compared by labels', () => {
  it.each([
    ['domain:good.test', 'https://good.test/x', true],
    ['domain:good.test', 'https://GOOD.TEST./x', true],
    ['domain:good.test', 'https://good.test:8443/', true],
    ['domain:good.test', 'https://good.test.evil.test/', false],
    ['domain:good.test', 'https://evilgood.test/', false],
    ['domain:good.test', 'https://good.test@evil.test/', false],
    ['domain:good.test', 'https://sub.good.test/', false],
    ['domain:good.test', 'file:///good.test', false],
    ['domain:*.good.test', 'https://a.b.good.test/', true],
    ['domain:*.good.test', 'https://good.test/', false],
    ['domain:*.good.test', 'https://xgood.test/', false],
    ['domain:bücher.test', 'https://xn--bcher-kva.test/', true],
    ['domain:b.test', 'https://\u0430.b.test\u3002evil.test/', false],
  ])('%s and %s', async (content, url, isAllowed) => {
    const policy = policyOf({ allow: [`WebFetch(${content})`] }, { root: '/tmp' });
    expect((await policy.judge(fetched(url))).decision).toBe(isAllowed ? 'allow' : 'ask');
  });
});

describe('tools', () => {
  it('denied as a whole are hidden under the names of every profile; one with content is not', () => {
    const hidden = policyOf({ deny: ['Bash', 'mcp__db', 'Agent(x)', 'Read(secret)', 'WebFetch'] }, { root: '/tmp' });
    const names = [
      'shell',
      'run_shell_command',
      'mcp__db__query',
      'mcp__dbs__query',
      'spawn_agent',
      'read_file',
      'web_fetch',
    ];
    expect(names.filter((name) => hidden.hides(name))).toEqual([
      'shell',
      'run_shell_command',
      'mcp__db__query',
      'web_fetch',
    ]);
  });

  it('are denied for the value of a parameter, for an agent or a skill by name', async () => {
    const policy = policyOf(
      {
        deny: ['mcp__db__query(database:prod*)', 'Agent(reviewer)', 'Skill(release *)', 'spawn_agent(model:big)'],
        allow: ['mcp__db__*'],
      },
      { root: '/tmp' },
    );
    const decide = async (toolName: string, args: Readonly<Record<string, unknown>>) =>
      (await policy.judge({ toolName, args, readOnly: true })).decision;
    expect(await decide('mcp__db__query', { database: 'production' })).toBe('deny');
    expect(await decide('mcp__db__query', { database: 'test' })).toBe('allow');
    expect(await decide('Task', { subagent_type: 'reviewer' })).toBe('deny');
    expect(await decide('Agent', { subagent_type: 'reviewer' })).toBe('deny');
    expect(await decide('spawn_agent', { model: 'big' })).toBe('deny');
    expect(await decide('skill', { skill: 'release now' })).toBe('deny');
    expect(await decide('skill', { skill: 'releases' })).toBe('allow');
  });
});

describe('T10: a child of a kind', () => {
  it('may use the tools of its kind under every name, and no others, whatever its parent allows', async () => {
    const child = policyOf({ allow: ['Edit', 'Bash'], deny: ['Read(.env)'] }, { root: '/tmp' }).subsetFor({
      tools: ['read_file', 'grep', 'edit_file'],
      mode: 'bypassPermissions',
    });
    const decide = async (toolName: string, args: Readonly<Record<string, unknown>>) =>
      (await child.judge({ toolName, args })).decision;
    expect(await decide('Edit', { file_path: 'a', old_string: 'a', new_string: 'b' })).toBe('allow');
    expect(await decide('Bash', { command: 'ls' })).toBe('deny');
    expect(await decide('write_file', { file_path: 'a', content: '' })).toBe('deny');
    expect(await decide('Read', { file_path: '.env' })).toBe('deny');
    expect(['Bash', 'Read', 'replace', 'Write'].filter((name) => child.hides(name))).toEqual(['Bash', 'Write']);
  });
});

describe('T9: a change of mode', () => {
  it('drops what was allowed for this session only, and keeps what was denied', async () => {
    const root = makeFolder();
    const before = policyOf({ deny: ['Edit(b.txt)'] }, { root });
    const granted = before.withRules([
      {
        behavior: 'allow',
        tool: 'Edit',
        content: null,
        text: 'Edit',
        origin: { scope: 'session', file: null, line: null, root },
      },
      {
        behavior: 'deny',
        tool: 'Read',
        content: 'c.txt',
        text: 'Read(c.txt)',
        origin: { scope: 'session', file: null, line: null, root },
      },
    ]);
    expect(await granted.judge(write('a.txt'))).toMatchObject({ decision: 'allow' });
    const back = granted.withMode('plan').withMode('default');
    expect(await back.judge(write('a.txt'))).toMatchObject({ decision: 'ask' });
    expect(await back.judge(write('b.txt'))).toMatchObject({ decision: 'deny' });
    expect(await back.judge(read('c.txt'))).toMatchObject({ decision: 'deny' });
  });
});

it('a rule denies every command but those that it names, whatever else allows them', async () => {
  const deny = ['Bash(!git status * | npm test *)'];
  const policy = policyOf({ deny, allow: ['Bash'] }, { root: '/tmp', mode: 'default' });
  const decide = async (command: string): Promise<string> =>
    (await policy.judge({ toolName: 'shell', args: { command } })).decision;
  for (const command of ['git status', 'git status -s', 'npm test -- a', 'git status && npm test'])
    expect([command, await decide(command)]).toEqual([command, 'allow']);
  for (const command of [
    'git log',
    'git statusx',
    'ls',
    'git status; ls',
    'git status && (ls | cat)',
    'npm test $(ls)',
    'git status | xargs rm',
    'X=ls; $X',
    'git status "',
    `git status ${'x'.repeat(10_001)}`,
  ])
    expect([command.slice(0, 40), await decide(command)]).toEqual([command.slice(0, 40), 'deny']);
  expect(parseRule('Bash(!ls)', 'allow', { scope: 'user', file: null, line: null, root: '/' })).toMatchObject({
    error: { message: expect.stringContaining('can only deny') },
  });
});
