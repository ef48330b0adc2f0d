import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSandbox, findSandbox } from '@attractor/confine';
import { examineTrust, inWorktree, readSetup, trustRepository } from '@attractor/settings';
import { createClient } from '@attractor/llm';
import { type ScriptInput, startSimulator } from '@attractor/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentRunOptions } from '../agent.ts';
import { createNativeAgent } from '../native.ts';
import { makeRun } from '../testing/world.ts';

const SERVER = join(import.meta.dirname, '../test-support/mcp-server-child.ts');
const REPORT = { toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] };

function write(folder: string, files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** A repository with a hook, a server and a skill of its own; a person with a hook and documents. The run works in a checkout beside it. */
async function makeWorld(turns: ScriptInput['turns'] = [REPORT, { text: 'Done.' }]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-brought-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [home, userHome, marker] = [join(folder, 'home'), join(folder, 'person'), join(folder, 'marker')];
  const { options, heard } = await makeRun();
  const repository = join(folder, 'repository');
  const hook = (command: string) => [{ hooks: [{ type: 'command', command }] }];
  write(repository, {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.claude/settings.json': { hooks: { UserPromptSubmit: hook('echo "the repository says hello from $PWD"') } },
    '.claude/skills/greet/SKILL.md': '---\nname: greet\ndescription: How people are greeted here.\n---\nPolitely.\n',
    '.mcp.json': { mcpServers: { sample: { command: process.execPath, args: [SERVER, marker] } } },
  });
  write(userHome, {
    '.claude/settings.json': { hooks: { UserPromptSubmit: hook('echo "the person says hello"') } },
    '.claude/CLAUDE.md': 'I like short sentences.\n',
  });
  mkdirSync(home, { recursive: true });
  const simulator = await startSimulator({ script: { turns } });
  const providers = { anthropic: { apiKey: 'test-key-0001', baseUrl: simulator.baseUrls.anthropic } };
  const client = createClient({ configuration: { providers, maxRetries: 0 } });
  onTestFinished(async () => {
    await client.close();
    await simulator.close();
  });
  const settings = { home, userHome, env: { PATH: process.env['PATH'], HOME: userHome } };
  const agent = createNativeAgent({ client, defaultProvider: 'anthropic' });
  const setup = async () => inWorktree(await readSetup({ ...settings, folder: repository }), options.projectPath);
  return {
    marker,
    heard,
    worktree: options.projectPath,
    trust: async () =>
      expect(await trustRepository(examineTrust(repository, { home }), { home })).toMatchObject({ ok: true }),
    run: async (more: Partial<AgentRunOptions> = {}) => agent.run({ ...options, setup: await setup(), ...more }),
    sent: () => simulator.requests().map((request) => JSON.stringify(request)),
    failures: () => simulator.failures(),
    write: (files: Readonly<Record<string, unknown>>) => write(userHome, files),
    remove: (file: string) => rmSync(join(repository, file)),
  };
}

describe('a run of a pipeline', () => {
  it('has the hooks, servers, skills and documents of the person and of a trusted repository', async () => {
    const world = await makeWorld();
    await world.trust();
    expect(await world.run()).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    const [first = ''] = world.sent();
    expect(first).toContain(`the repository says hello from ${world.worktree}`);
    expect(first).toContain('the person says hello');
    expect(first).toContain('mcp__sample__look');
    expect(first).toContain('How people are greeted here.');
    expect(first).toContain('I like short sentences.');
    expect(existsSync(world.marker)).toBe(true);
    expect(world.heard.messages.filter(({ kind }) => kind === 'notice')).toEqual([]);
  });

  it('has nothing of a repository that nobody trusted, and starts nothing of it', async () => {
    const world = await makeWorld();
    expect(await world.run()).toMatchObject({ exitCode: 0 });
    const [first = ''] = world.sent();
    for (const foreign of ['the repository says hello', 'mcp__sample', 'How people are greeted'])
      expect(first).not.toContain(foreign);
    expect(first).toContain('the person says hello');
    expect(existsSync(world.marker)).toBe(false);
  });

  it('asks a person before a tool of a server, which runs in the worktree', async () => {
    const world = await makeWorld([
      { toolCalls: [{ name: 'mcp__sample__look', args: {} }] },
      REPORT,
      { text: 'Done.' },
    ]);
    await world.trust();
    expect(await world.run()).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    expect(world.heard.asked.map(({ toolName }) => toolName)).toEqual(['mcp__sample__look']);
    expect(world.sent()[1]).toContain(`the server runs in ${world.worktree}`);
  });

  it('that only reads starts no server: its word that a tool changes nothing is not enough', async () => {
    const world = await makeWorld([{ text: 'ok' }]);
    await world.trust();
    await world.run({ readOnly: true });
    expect(world.sent()[0]).toContain('the repository says hello');
    expect(world.sent()[0]).not.toContain('mcp__sample');
    expect(existsSync(world.marker)).toBe(false);
  });

  it('works in the folders that the person added, by tools and by commands, and in no others', async () => {
    const shared = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-shared-')));
    onTestFinished(() => rmSync(shared, { recursive: true, force: true }));
    const file = (name: string) => ({ file_path: join(shared, name), content: 'x' });
    const world = await makeWorld([
      { toolCalls: [{ name: 'write_file', args: file('a.txt') }] },
      { toolCalls: [{ name: 'shell', args: { command: `echo y > ${shared}/b.txt` } }] },
      REPORT,
      { text: 'Done.' },
    ]);
    await world.run();
    expect(existsSync(join(shared, 'a.txt'))).toBe(false);
    const added = await makeWorld([
      { toolCalls: [{ name: 'write_file', args: file('a.txt') }] },
      { toolCalls: [{ name: 'shell', args: { command: `echo y > ${shared}/b.txt` } }] },
      REPORT,
      { text: 'Done.' },
    ]);
    added.write({ '.claude/settings.json': { permissions: { additionalDirectories: [shared] } } });
    expect(await added.run()).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    expect(added.heard.asked).toEqual([]);
    expect(['a.txt', 'b.txt'].map((name) => existsSync(join(shared, name)))).toEqual([true, true]);
  });

  it('does not start while a hook can not be understood: it may be one that forbids', async () => {
    const world = await makeWorld();
    world.write({
      '.claude/settings.json': {
        hooks: { PreToolUse: [{ matcher: '(', hooks: [{ type: 'command', command: 'x' }] }] },
      },
    });
    expect(await world.run()).toMatchObject({
      exitCode: 1,
      error: { message: expect.stringContaining('settings.json') },
    });
    expect(world.sent()).toEqual([]);
  });

  it('that a hook stops, or whose prompt a hook refuses, fails with what the hook said', async () => {
    for (const [event, why] of [
      ['PreToolUse', 'A hook stopped the work: enough'],
      ['UserPromptSubmit', 'A hook refused the input: enough'],
    ] as const) {
      const world = await makeWorld([{ toolCalls: [{ name: 'shell', args: { command: 'ls' } }] }]);
      const command = `echo '{"continue":false,"stopReason":"enough"}'`;
      world.write({ '.claude/settings.json': { hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } } });
      expect(await world.run()).toMatchObject({ exitCode: 1, error: { message: why, retryable: false } });
      expect(world.heard.messages).toContainEqual(expect.objectContaining({ kind: 'notice', text: why }));
    }
  });

  it('goes on without a server that does not come up, and says so', async () => {
    const world = await makeWorld();
    world.write({ '.claude.json': { mcpServers: { gone: { command: '/no/such/server' } } } });
    expect(await world.run()).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    expect(world.heard.messages).toContainEqual(
      expect.objectContaining({ kind: 'notice', level: 'warning', text: expect.stringContaining('gone') }),
    );
  });
});

const found = await findSandbox({ roots: [] });

describe.runIf(found.available)('a run in a sandbox', () => {
  it('has the servers and hooks of the repository inside it', async () => {
    const world = await makeWorld();
    await world.trust();
    if (!found.available) throw new Error('no sandbox');
    const sandbox = createSandbox({ bubblewrap: found, roots: [world.worktree] });
    onTestFinished(() => sandbox.close());
    expect(await world.run({ sandbox })).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    const [first = ''] = world.sent();
    expect(first).toContain('mcp__sample__look');
    expect(first).toContain('the repository says hello');
    expect(existsSync(world.marker)).toBe(false);
  });
});
