import { chmodSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { expect, it } from 'vitest';
import { readSetup, type SessionSetup } from './session-setup.ts';

const CLINE = 'Documents/Cline/Hooks/PreToolUse';

function setupWith(settings: object): Promise<SessionSetup> {
  const command = { hooks: [{ type: 'command', command: 'true' }] };
  const userHome = makeFolder({
    [CLINE]: '#!/bin/sh\n',
    '.attractor/config.json': JSON.stringify({ hooks: { Stop: [command] }, ...settings }),
  });
  chmodSync(path.join(userHome, CLINE), 0o755);
  const home = path.join(userHome, '.attractor');
  return readSetup({ home, userHome, folder: makeFolder(), env: {} });
}

it('hooks of settings and of files run, and none of either once a person switched them off', async () => {
  expect((await setupWith({})).hooks.map(({ event }) => event)).toEqual(['Stop', 'PreToolUse']);
  expect(await setupWith({ disableAllHooks: true })).toMatchObject({ hooks: [], problems: [], unused: [] });
});

it('a plugin with a hook that can not be understood ends the start, unless hooks are switched off', async () => {
  const open = (settings: object) => {
    const userHome = makeFolder({
      '.attractor/config.json': JSON.stringify(settings),
      '.attractor/plugins/guard/.claude-plugin/plugin.json': '{"name":"guard"}',
      '.attractor/plugins/guard/hooks/hooks.json': '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command"}]}]}}',
    });
    const [home, folder] = [path.join(userHome, '.attractor'), makeFolder()];
    return readSetup({ home, userHome, folder, env: {} });
  };
  const message = expect.stringMatching(/guard.*"command" must be a text/);
  expect(await open({})).toMatchObject({ problems: [{ about: 'hooks', message }] });
  expect(await open({ disableAllHooks: true })).toMatchObject({ problems: [], hooks: [] });
});

it('a rule that allows and can not be understood allows nothing and is told; one that denies ends the start', async () => {
  const allow = ['mcp__*', 'Grep(**)', 'Glob(**)', 'LS(**)', '*', 'SlashCommand:*', 'WebFetch(*)'];
  const opened = await setupWith({ permissions: { allow, deny: ['WebFetch(*)'] } });
  expect(opened.problems).toEqual([]);
  expect(opened.rules).toMatchObject([
    { tool: 'WebFetch', behavior: 'deny' },
    { tool: 'WebFetch', behavior: 'allow' },
  ]);
  expect(opened.unused).toHaveLength(allow.length - 1);
  for (const line of opened.unused) expect(line).toMatch(/config\.json:\d+: The rule .*It allows nothing\.$/);
  const closed = await setupWith({ permissions: { deny: ['Grep(**)'] } });
  expect(closed.problems).toMatchObject([{ about: 'rules', message: expect.stringContaining('Grep(**)') }]);
});

it('what is written down and of no use is told, each in a line: values, misspelled tools, folders that are not there', async () => {
  const { problems, unused, variables } = await setupOfClaude({
    model: 5,
    autoCompactEnabled: 'no',
    env: { MAX_THINKING_TOKENS: 8000, DEBUG: true },
    permissions: { deny: ['Wriet', 'Bashh(rm:*)', 'mcp__any', 'MultiEdit'], additionalDirectories: ['~/none', '..'] },
  });
  expect([problems, variables]).toMatchObject([[], { set: { MAX_THINKING_TOKENS: '8000', DEBUG: 'true' } }]);
  expect(unused.map((line) => line.replace(/^.*?settings\.json:\d+: /, ''))).toEqual([
    '"model" must be a text such as "…". It does not count.',
    '"autoCompactEnabled" must be true or false. It does not count.',
    'The rule "Wriet" has no effect: there is no tool Wriet; did you mean Write?',
    'The rule "Bashh(rm:*)" has no effect: there is no tool Bashh; did you mean Bash?',
    'additionalDirectories: there is no folder ~/none here.',
  ]);
});

it('a command, a skill and an agent whose head can not be read are told at the start', async () => {
  const files = ['commands/go.md', 'skills/s/SKILL.md', 'agents/a.md'];
  const userHome = makeFolder(Object.fromEntries(files.map((file) => [`.claude/${file}`, '---\ndescription: x\n'])));
  const { problems, unused } = await readSetup({ home: makeFolder(), userHome, folder: makeFolder(), env: {} });
  expect(problems).toEqual([]);
  for (const file of files)
    expect(unused).toContainEqual(`${userHome}/.claude/${file}:1: expected a line "---" that ends the head`);
});

it('a hook of Stop in the head of an agent is one of SubagentStop there; in the head of a skill it stays what it is', async () => {
  const head = (name: string): string =>
    `---\nname: ${name}\ndescription: x\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: check\n---\nDo it.\n`;
  const userHome = makeFolder({ '.claude/agents/a.md': head('a'), '.claude/skills/s/SKILL.md': head('s') });
  const { hooks, problems } = await readSetup({ home: makeFolder(), userHome, folder: makeFolder(), env: {} });
  expect(problems).toEqual([]);
  expect(hooks.map(({ event, within }) => [event, within]).toSorted()).toEqual([
    ['Stop', { skill: 's' }],
    ['SubagentStop', { agent: 'a' }],
  ]);
});

it('a settings file that is empty says nothing', async () => {
  expect(await setupOfClaude('')).toMatchObject({ problems: [], unused: [], rules: [] });
});

function setupOfClaude(settings: object | string): Promise<SessionSetup> {
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings, null, 2);
  const userHome = makeFolder({ '.claude/settings.json': text });
  return readSetup({ home: makeFolder(), userHome, folder: makeFolder(), env: {} });
}
