import { chmodSync, cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import type { McpServerDefinition } from './definition.ts';
import { tokenFiles } from './oauth/token-file.ts';
import { openOfferedCache } from './offered-cache.ts';

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe('what is kept of a sign-in', () => {
  const TOKENS = { tokens: { access_token: 'a', token_type: 'Bearer' } };

  it('is for its owner alone, also in a folder that others could enter before', () => {
    const home = makeFolder();
    const folder = path.join(home, 'mcp', 'sign-ins');
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    tokenFiles(home)('https://a.test/mcp').write(TOKENS);
    const [name = ''] = readdirSync(folder);
    expect([modeOf(folder), modeOf(path.join(folder, name))]).toEqual([0o700, 0o600]);
  });

  it('is found for the very address that it was given to, and for no other, even under its name', () => {
    const home = makeFolder();
    const folder = path.join(home, 'mcp', 'sign-ins');
    const nameOf = (url: string): string => {
      const before = new Set(readdirOr(folder));
      tokenFiles(home)(url).write({});
      return readdirOr(folder).find((name) => !before.has(name)) ?? '';
    };
    const [own, other] = [nameOf('https://a.test/mcp'), nameOf('https://a.test/mcp2')];
    tokenFiles(home)('https://a.test/mcp').write(TOKENS);
    expect(tokenFiles(home)('https://a.test/mcp').read()).toMatchObject(TOKENS);
    cpSync(path.join(folder, own), path.join(folder, other));
    expect(tokenFiles(home)('https://a.test/mcp2').read()).toEqual({ url: 'https://a.test/mcp2' });
  });
});

describe('what is kept of what servers offered', () => {
  const SERVER: McpServerDefinition = {
    name: 'a',
    scope: 'user',
    transport: { kind: 'stdio', command: 'a', args: [], env: {} },
  };
  const OFFERED = {
    tools: [{ name: 't', inputSchema: { type: 'object' as const } }],
    hasResources: false,
    hasPrompts: false,
  };

  it('is of this very definition, for a week, and for its owner alone', () => {
    const home = makeFolder();
    let now = 0;
    const cache = openOfferedCache(home, () => now);
    cache.write(SERVER, OFFERED);
    const folder = path.join(home, 'cache', 'mcp');
    const [name = ''] = readdirSync(folder);
    expect([modeOf(folder), modeOf(path.join(folder, name))]).toEqual([0o700, 0o600]);
    expect(cache.read(SERVER)).toEqual(OFFERED);
    const changed: ReadonlyArray<McpServerDefinition> = [
      { ...SERVER, scope: 'project' },
      { ...SERVER, transport: { kind: 'stdio', command: 'a', args: ['--evil'], env: {} } },
      { ...SERVER, transport: { kind: 'stdio', command: 'a', args: [], env: { A: 'b' } } },
    ];
    for (const other of changed) expect(cache.read(other)).toBeNull();
    now = 7 * 24 * 3_600_000;
    expect(cache.read(SERVER)).toBeNull();
  });

  it('is nothing for what a person named for this one run', () => {
    const cache = openOfferedCache(makeFolder(), () => 0);
    cache.write({ ...SERVER, scope: 'flag' }, OFFERED);
    expect(cache.read({ ...SERVER, scope: 'flag' })).toBeNull();
  });
});

function readdirOr(folder: string): ReadonlyArray<string> {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
