import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { expect, it } from 'vitest';
import { agentsOfPerson } from './known-agents.ts';

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
  const listed = await agentsOfPerson(home, host);
  const ready = await Promise.all(listed.map(async (agent) => [agent.type, (await agent.isAvailable()).available]));
  expect(Object.fromEntries(ready)).toMatchObject({ gemini: true, codex: true, opencode: false, qwen: false });
  expect(new Set(ready.map(([type]) => type)).size).toBe(ready.length);
});
