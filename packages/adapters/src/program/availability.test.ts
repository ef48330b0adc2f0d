import { chmodSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { expect, it } from 'vitest';
import { knownForeignAgents } from '../foreign-agents.ts';
import { createCodexAgent } from '../codex.ts';

const PROGRAM = '#!/bin/sh\n';

/** Codex as npm installs it, of some version. */
function installed(version: string, mode = 0o755): string {
  const folder = makeFolder({ 'bin/codex': PROGRAM, 'package.json': JSON.stringify({ name: 'codex', version }) });
  chmodSync(path.join(folder, 'bin/codex'), mode);
  return path.join(folder, 'bin');
}

type Given = { readonly PATH: string; readonly OPENAI_API_KEY?: string };

async function reasonOf(env: Given, definition: object = {}): Promise<string> {
  const agent = createCodexAgent({ type: 'codex', definition: { env: [], useMyLogin: false, ...definition }, env });
  const found = await agent.isAvailable();
  return found.available ? 'available' : found.reason;
}

it('says in one line why a program can’t be used, and what to do', async () => {
  const old = installed('0.50.0');
  const usable = installed('0.166.0');
  const locked = installed('0.166.0', 0o644);
  const login = { env: ['OPENAI_API_KEY'] };
  const reasons = {
    missing: await reasonOf({ PATH: '/nowhere:/nor/here' }),
    old: await reasonOf({ PATH: old }),
    locked: await reasonOf({ PATH: locked }),
    noLogin: await reasonOf({ PATH: usable }),
    noKey: await reasonOf({ PATH: usable }, login),
    notLoggedIn: await reasonOf({ PATH: usable }, { useMyLogin: true }),
    ready: await reasonOf({ PATH: usable, OPENAI_API_KEY: 'sk-none' }, login),
  };
  expect(reasons).toEqual({
    missing: 'Codex is not found (searched: /nowhere, /nor/here). Install it with: npm install -g @openai/codex',
    old: `${old}/codex is version 0.50.0, and at least 0.100.0 is needed. Install it with: npm install -g @openai/codex`,
    locked: `${locked}/codex is not a program that you may run. Make it executable (chmod +x), or install it again.`,
    noLogin: expect.stringMatching(
      /^Codex 0\.166\.0 is installed at .*, but it may use no login of yours: give agents\.codex in config\.json "type": "codex" and "env": \["OPENAI_API_KEY"\], or "useMyLogin": true/,
    ),
    noKey: expect.stringContaining('none of OPENAI_API_KEY is set'),
    notLoggedIn: expect.stringContaining('you are not logged in: run "codex login"'),
    ready: 'available',
  });
});

it('says so of every agent that is known', async () => {
  const answers = await Promise.all(knownForeignAgents({ PATH: '' }).map((agent) => agent.isAvailable()));
  const reasons = answers.map((answer) => (answer.available ? 'available' : answer.reason));
  expect(reasons).toHaveLength(9);
  for (const reason of reasons)
    expect(reason).toMatch(/^[^\n]+ is not found \(PATH is empty\)\. (?:Install|How to install) it[^\n]+$/);
});
