import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { findSandbox } from '@attractor/confine';
import { parseScript, startSimulator } from '@attractor/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ANYWHERE, type Ended, makeFolder, runAttractor, SANDBOX } from './attractor.ts';

const ATTACK =
  'echo fine > made.txt; mkdir -p .vscode; echo evil > .vscode/tasks.json; echo evil > ../evil-outside; ls -A /run';

/** The model runs a script, so that the sandbox is what holds it back and not the judgement of its words. */
async function ask(flags: ReadonlyArray<string>, attack = ATTACK): Promise<Ended & { readonly folder: string }> {
  const parsed = parseScript({
    turns: [{ toolCalls: [{ use: 'shell', command: 'bash attack.sh' }] }, { text: 'Done.' }],
  });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const folder = makeFolder();
  writeFileSync(path.join(folder, 'attack.sh'), attack);
  const model = [
    '--provider',
    'anthropic',
    '--model',
    'claude-sonnet-4-5-20250929',
    '--base-url',
    simulator.baseUrls.anthropic,
  ];
  const ended = await runAttractor(['-p', 'Go.', ...model, ...flags, '--output-format', 'json'], {
    home: makeFolder(),
    cwd: folder,
    env: { ANTHROPIC_API_KEY: 'none' },
  });
  return { ...ended, folder };
}

describe('attractor -p in its sandbox', () => {
  test('bypassPermissions runs everything unasked, inside', async ({ skip }) => {
    const found = await findSandbox({ roots: [] });
    if (!found.available) skip(`no sandbox here: ${found.reason}`);
    const { code, stderr, folder } = await ask(['--permission-mode', 'bypassPermissions']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readFileSync(path.join(folder, 'made.txt'), 'utf8')).toBe('fine\n');
    expect(existsSync(path.join(path.dirname(folder), 'evil-outside'))).toBe(false);
    const left = readdirSync(folder).filter((name) => !name.startsWith('.vscode.refused_'));
    expect(left).toEqual(['attack.sh', 'made.txt']);
  });

  test('so do tools that were allowed by name; the real home of the user stays closed', async ({ skip }) => {
    const found = await findSandbox({ roots: [] });
    if (!found.available) skip(`no sandbox here: ${found.reason}`);
    const { code, folder } = await ask(['--allowed-tools', 'Bash'], `touch '${homedir()}/evil-at-home'; env > seen`);
    expect(code).toBe(0);
    expect(existsSync(path.join(homedir(), 'evil-at-home'))).toBe(false);
    expect(readFileSync(path.join(folder, 'seen'), 'utf8')).not.toContain('ANTHROPIC');
  });

  test('an MCP server that is a program of the workspace is inside as well; one that a person has is theirs', async ({
    skip,
  }) => {
    const found = await findSandbox({ roots: [] });
    if (!found.available) skip(`no sandbox here: ${found.reason}`);
    const server = (name: string): string => `touch inside ../${name}; env > seen; exec cat`;
    const confined = await ask(['--mcp', 'evil=/bin/bash,attack.sh'], server('evil-outside'));
    const own = await ask(['--mcp', `mine=/bin/bash,-c,${server('mine-outside')}`], 'true');
    for (const { code, folder } of [confined, own]) {
      expect(code).toBe(0);
      expect(existsSync(path.join(folder, 'inside'))).toBe(true);
      expect(readFileSync(path.join(folder, 'seen'), 'utf8')).not.toContain('ANTHROPIC');
    }
    expect(existsSync(path.join(path.dirname(confined.folder), 'evil-outside'))).toBe(false);
    expect(existsSync(path.join(path.dirname(own.folder), 'mine-outside'))).toBe(true);
  });

  test('pages are read within its domains: a denied one is denied, one outside the list asks, unasked or not', async () => {
    const parsed = parseScript({
      turns: [
        { toolCalls: [{ name: 'WebFetch', args: { url: 'https://denied.test/x' } }] },
        { toolCalls: [{ name: 'WebFetch', args: { url: 'https://elsewhere.test/x' } }] },
        { text: 'Done.' },
      ],
    });
    if (!parsed.ok) throw new Error(parsed.error.message);
    const simulator = await startSimulator({ script: parsed.script });
    onTestFinished(() => simulator.close());
    const home = makeFolder();
    mkdirSync(path.join(home, '.attractor'));
    const network = { allowedDomains: ['good.test'], deniedDomains: ['denied.test'] };
    writeFileSync(path.join(home, '.attractor/config.json'), JSON.stringify({ sandbox: { network } }));
    const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
    const flags = ['--base-url', simulator.baseUrls.anthropic, '--output-format', 'json', ...ANYWHERE];
    const prompt = 'Read https://denied.test/x and https://elsewhere.test/x.';
    const { stdout } = await runAttractor(['-p', prompt, ...model, ...flags], {
      home,
      cwd: makeFolder(),
      env: { ANTHROPIC_API_KEY: 'none' },
    });
    const requests = JSON.stringify(simulator.requests());
    expect(stdout).toContain('"result":"Done."');
    expect(requests).toContain('denied.test is denied by sandbox.network.deniedDomains');
    if (SANDBOX.available) expect(requests).toContain('elsewhere.test is not among the domains');
  });

  test('where there is none, a run starts only when a person allowed it: one line says why', async () => {
    const found = await findSandbox({ roots: [] });
    const { code, stderr } = await ask([]);
    if (found.available) expect(code).toBe(0);
    else {
      expect(code).toBe(4);
      expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/sandbox.*--allow-unsandboxed/)]);
    }
    expect(await ask(['--allow-unsandboxed'])).toMatchObject({ code: 0 });
  });
});
