import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSetup } from '@attractor/settings';
import type { AgentSpec } from '@attractor/executor';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claudeVariables } from './claude-environment.ts';
import { mayUse } from './may-use.ts';

const SPEC: AgentSpec = { name: 'A', systemPrompt: '', instructions: '', path: 'a.md', ignored: [] };

async function judgeWith(permissions: object, permissionMode?: string) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'attractor-may-use-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [home, workspace] = [path.join(folder, '.attractor'), path.join(folder, 'work')];
  for (const made of [home, workspace]) mkdirSync(made);
  writeFileSync(path.join(home, 'config.json'), JSON.stringify({ permissions }));
  const spec = permissionMode === undefined ? SPEC : { ...SPEC, permissionMode };
  const may = mayUse(spec, workspace, await readSetup({ home, userHome: folder, env: {}, folder: workspace }));
  const { signal } = new AbortController();
  return async (name: string, file: string): Promise<boolean> => {
    const input = { path: file, content: 'x', pattern: 'x' };
    const readOnly = /read|list|search/.test(name);
    return (await may({ id: '1', name, input, readOnly, signal })).allowed;
  };
}

describe('an agent that runs by itself', () => {
  it('edits its workspace, but not against a rule that denies or asks, under any of its tools', async () => {
    const may = await judgeWith({ deny: ['Edit(no.txt)', 'Read(secret/**)'], ask: ['Edit(ask.txt)'] });
    for (const name of ['file.write', 'file.patch', 'file.delete']) {
      expect([name, await may(name, 'a.txt')]).toEqual([name, true]);
      expect([name, await may(name, 'no.txt')]).toEqual([name, false]);
      expect([name, await may(name, 'ask.txt')]).toEqual([name, false]);
      expect([name, await may(name, 'secret/a')]).toEqual([name, false]);
    }
    for (const name of ['file.read', 'file.search', 'file.list'])
      expect([name, await may(name, 'a.txt'), await may(name, 'secret/a')]).toEqual([name, true, false]);
  });

  it('that only plans changes nothing, whatever a rule allows', async () => {
    const may = await judgeWith({ allow: ['Edit'] }, 'plan');
    expect([await may('file.write', 'a.txt'), await may('file.read', 'a.txt')]).toEqual([false, true]);
  });

  it('can not give itself more than edits by its own file', async () => {
    const may = await judgeWith({ ask: ['Edit(ask.txt)'] }, 'bypassPermissions');
    expect([await may('file.write', 'a.txt'), await may('file.write', 'ask.txt')]).toEqual([true, false]);
    // It is not even asked for, so that nothing is refused where the person forbids it.
    const forbidden = await judgeWith({ disableBypassPermissionsMode: 'disable' }, 'bypassPermissions');
    expect(await forbidden('file.write', 'a.txt')).toBe(true);
  });
});

it('Claude Code gets what it needs to log in and to get there, and no other variable', () => {
  const needed = {
    PATH: '/bin',
    HOME: '/h',
    ANTHROPIC_API_KEY: 'a',
    CLAUDE_CONFIG_DIR: '/c',
    HTTPS_PROXY: 'p',
    LC_ALL: 'C',
  };
  const kept = {
    OPENAI_API_KEY: 'o',
    GITHUB_TOKEN: 'g',
    DATABASE_URL: 'd',
    LD_PRELOAD: 'x',
    NODE_OPTIONS: '--require x',
  };
  expect(claudeVariables({ ...needed, ...kept, MY_ANTHROPIC_KEY: 'm', EMPTY: undefined })).toEqual(needed);
});
