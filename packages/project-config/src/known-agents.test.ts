import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { must } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import { agentsOfPerson, findAgent } from './known-agents.ts';

it('a known program is given a key by the line that "attractor agents" says', async () => {
  const agents = {
    gemini: { type: 'acp', env: ['GEMINI_API_KEY'] },
    codex: { type: 'codex', env: ['OPENAI_API_KEY'] },
    opencode: { model: 'm' },
  };
  const home = makeFolder({ 'config.json': JSON.stringify({ agents }) });
  mkdirSync(path.join(home, 'bin'));
  for (const name of ['gemini', 'codex', 'opencode']) {
    writeFileSync(path.join(home, 'bin', name), '#!/bin/sh\n');
    chmodSync(path.join(home, 'bin', name), 0o755);
  }
  const host = { PATH: path.join(home, 'bin'), GEMINI_API_KEY: 'none', OPENAI_API_KEY: 'none' };
  const listed = must(await agentsOfPerson(home, host));
  const ready = await Promise.all(listed.map(async (agent) => [agent.type, (await agent.isAvailable()).available]));
  expect(Object.fromEntries(ready)).toMatchObject({ gemini: true, codex: true, opencode: false, qwen: false });
  expect(new Set(ready.map(([type]) => type)).size).toBe(ready.length);
});

it('the scripted agent is there without a definition, once, and a definition of that name wins', async () => {
  const [plain, own] = [makeFolder(), makeFolder()];
  const scripts = [{ steps: [{ do: 'output', text: 'mine' }] }];
  writeFileSync(path.join(own, 'config.json'), JSON.stringify({ agents: { scripted: { type: 'scripted', scripts } } }));
  for (const home of [plain, own]) {
    const listed = must(await agentsOfPerson(home, {})).filter(({ type }) => type === 'scripted');
    expect(await Promise.all(listed.map((agent) => agent.isAvailable()))).toEqual([{ available: true }]);
    const sources = { agents: new Map(), home, projectPath: null, hostEnv: {} };
    expect(must(await findAgent(sources, 'scripted')).type).toBe('scripted');
  }
  expect(must(await agentsOfPerson(plain, {}, ['scripted'])).map(({ type }) => type)).not.toContain('scripted');
});

it('one that is defined wrongly, or by nothing that says what it is, is listed with the file, the line and what would be right', async () => {
  const agents = { wrong: { type: 'acp', command: 'my-agent' }, bare: { model: 'm' }, native: { model: 'm' } };
  const home = makeFolder({ 'config.json': JSON.stringify({ agents }, null, 1) });
  const listed = must(await agentsOfPerson(home, {}, ['native']));
  const reasons = await Promise.all(
    listed.slice(0, 2).map(async (agent) => {
      const found = await agent.isAvailable();
      return [agent.type, found.available ? '' : found.reason.replace(home, '~')];
    }),
  );
  expect(reasons).toEqual([
    ['wrong', '~/config.json:3: agents.wrong: "command" must be a list of arguments such as ["/opt/bin/agent"].'],
    [
      'bare',
      '~/config.json:7: There is no agent "bare" that this could belong to. Give "agents.bare" a "type": "cli", "scripted", "claude-code", "codex", "acp".',
    ],
  ]);
  expect(listed.map(({ type }) => type)).not.toContain('native');
});

it('a file that can’t be followed is refused with its place', async () => {
  const broken = makeFolder({ 'config.json': '{\n "agents": {' });
  const refused = await agentsOfPerson(broken, {});
  expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('config.json:2: ') } });
  const folder = makeFolder();
  mkdirSync(path.join(folder, 'config.json'));
  expect(await agentsOfPerson(folder, {})).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/config\.json:1: it can't be read/) },
  });
  expect(await agentsOfPerson(path.join(folder, 'none'), {})).toMatchObject({ ok: true });
});
