import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseScript, type RecordedRequest, startSimulator } from '@attractor/simulator';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { mostlyHere } from './attractor-here.ts';
import { type Ended, makeFolder } from './attractor.ts';

/** With servers of its own the command is a program in `headless-sandbox.test.ts`. */
const attractor = mostlyHere(['tools', 'conformance']);

const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/attractor.js');
const EVERYTHING = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const SUM_SERVER = path.join(import.meta.dirname, 'test-support/sum-server-child.ts');
const CONFORMANCE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

type Fields = Readonly<Record<string, unknown>>;

const stdio = (...args: ReadonlyArray<string>): string => JSON.stringify([process.execPath, ...args]);

function jsonOf({ stdout }: Ended): Fields {
  return JSON.parse(stdout) as Fields;
}

describe('attractor mcp', () => {
  test('lists and calls the tools of a server, and tells what went wrong', async () => {
    const home = makeFolder();
    const run = (...args: ReadonlyArray<string>) => attractor(['mcp', ...args], { home });
    const listed = await run('tools', '--stdio', stdio(COMMAND, 'mcp', 'serve', home));
    expect(listed.code).toBe(0);
    expect(jsonOf(listed)['tools']).toHaveLength(6);
    const sum = await run('call', '--stdio', stdio(EVERYTHING), 'get-sum', '{"a":2,"b":3}');
    expect([sum.code, jsonOf(sum)]).toEqual([
      0,
      { content: [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }], isError: false },
    ]);
    const wrong = await run('call', '--stdio', stdio(EVERYTHING), 'get-sum', '{}');
    expect([wrong.code, jsonOf(wrong)['isError']]).toEqual([0, true]);
    const gone = await run('call', '--stdio', stdio('-e', 'process.exit(3)'), 'x', '{}');
    expect([gone.code, jsonOf(gone)['error']]).toMatchObject([1, { code: 'start_failed' }]);
    expect((await run('call', '--stdio', 'node', 'x', '{}')).code).toBe(2);
    expect((await run('call', '--stdio', stdio(EVERYTHING), 'x', '[]')).code).toBe(2);
  });

  test('passes the client scenarios of the official suite', async () => {
    // The official client says what is missing from what a server sent, which is what some scenarios are about.
    const said = vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => said.mockRestore());
    const client = await makeClient(makeFolder());
    const failing = await failingScenarios(client, '--suite', 'all');
    expect(failing).toEqual(expect.arrayContaining(FOR_NO_PERSON));
    const others = failing.filter((name) => !FOR_NO_PERSON.includes(name));
    // A busy machine may have been late for one that measures time: alone, it has the machine to itself.
    for (const name of others) expect(await failingScenarios(client, '--scenario', name)).toEqual([]);
  });
});

/** Extensions for programs that act for nobody: there is always a person here. */
const FOR_NO_PERSON = [
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/cross-app-access-complete-flow',
];

async function failingScenarios(
  client: string,
  ...which: readonly [flag: string, name: string]
): Promise<ReadonlyArray<string>> {
  const folder = path.dirname(client);
  const limits = ['--timeout', '900000'];
  const child = spawn(process.execPath, [CONFORMANCE, 'client', '--command', client, ...limits, ...which], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const { pid = 0 } = child;
  onTestFinished(() => {
    if (child.exitCode === null && pid > 0) process.kill(-pid, 'SIGKILL');
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => void (output += text.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (which[0] === '--scenario') return code === 0 ? [] : [which[1]];
  const results = [...output.matchAll(/^[✓✗] (\S+): \d+ passed, (\d+) failed/gm)];
  expect(results.length).toBeGreaterThan(20);
  return results.flatMap(([, name = '', failed]) => (failed === '0' ? [] : [name]));
}

/**
 * A program that the suite starts as its client. It tells here what it was started with, and ends as the command does: the first is started
 * as a program, and all others run in this process.
 */
async function makeClient(folder: string): Promise<string> {
  const server = createServer((socket) => {
    let told = '';
    const hear = async (text: string): Promise<void> => {
      told += text;
      const [url = '', scenario = '', context = '', end] = told.split('\0');
      if (end === undefined) return;
      const about = context === '' ? {} : { MCP_CONFORMANCE_CONTEXT: context };
      const env = { MCP_CONFORMANCE_SCENARIO: scenario, ...about };
      const { code } = await attractor(['mcp', 'conformance', url], { home: folder, env });
      socket.end(`${code ?? 1}\n`);
    };
    socket.setEncoding('utf8').on('data', (text: string) => void hear(text));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const client = path.join(folder, 'client.sh');
  writeFileSync(
    client,
    [
      '#!/bin/bash',
      `exec 3<>/dev/tcp/127.0.0.1/${typeof address === 'object' ? (address?.port ?? 0) : 0}`,
      String.raw`printf '%s\0' "$1" "$MCP_CONFORMANCE_SCENARIO" "$MCP_CONFORMANCE_CONTEXT" >&3`,
      'read -r code <&3',
      'exit "$code"',
      '',
    ].join('\n'),
    { mode: 0o755 },
  );
  return client;
}

type World = {
  readonly folder: string;
  readonly home: string;
  readonly requests: () => ReadonlyArray<RecordedRequest>;
  readonly ask: (...flags: ReadonlyArray<string>) => Promise<ReadonlyArray<Fields>>;
  /** Of all runs. */
  readonly stderr: () => string;
};

const MODELS = { anthropic: 'claude-sonnet-4-5-20250929', openai: 'gpt-5', gemini: 'gemini-2.5-pro' } as const;

type Provider = keyof typeof MODELS;

async function makeWorld(turns: ReadonlyArray<unknown>, provider: Provider = 'anthropic'): Promise<World> {
  const parsed = parseScript({ turns });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const [home, folder] = [makeFolder(), makeFolder()];
  const model = ['--provider', provider, '--model', MODELS[provider]];
  const fixed = [...model, '--base-url', simulator.baseUrls[provider], '--allow-unsandboxed', '--output-format'];
  let stderr = '';
  const env = { ANTHROPIC_API_KEY: 'none', OPENAI_API_KEY: 'none', GEMINI_API_KEY: 'none' };
  return {
    home,
    folder,
    requests: () => simulator.requests(),
    stderr: () => stderr,
    ask: async (...flags) => {
      const args = [...fixed, 'stream-json', ...flags];
      const ended = await attractor(args, { home, cwd: folder, env });
      stderr += ended.stderr;
      return ended.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Fields);
    },
  };
}

const SUM = 'mcp__everything__get-sum';
const CALLS_SUM = [{ toolCalls: [{ name: SUM, args: { a: 2, b: 40 } }] }, { text: 'Done.' }];

describe('attractor -p with MCP servers', () => {
  test.each(['anthropic', 'openai', 'gemini'] as const)(
    'a model of %s sees the schema of a tool, calls it, and gets the answer',
    async (provider) => {
      const world = await makeWorld(CALLS_SUM, provider);
      const server = `everything=${process.execPath},${EVERYTHING},stdio`;
      const lines = await world.ask('-p', 'Add.', '--mcp', server, '--allowed-tools', SUM);
      expect(lines[0]).toMatchObject({ subtype: 'init', mcp_servers: [{ name: 'everything', status: 'connected' }] });
      expect(lines[0]?.['slash_commands']).toContain('mcp__everything__simple-prompt');
      expect(lines[0]?.['tools']).toContain(SUM);
      expect(lines.at(-1)).toMatchObject({ subtype: 'success', result: 'Done.' });
      const [first, second] = world.requests().map(({ body }) => JSON.stringify(body));
      expect(first).toContain(`"name":"${SUM}"`);
      expect(first).toContain('"description":"First number"');
      expect(second).toContain('The sum of 2 and 40 is 42.');
      expect(world.stderr()).toBe('');
    },
  );

  test('a tool that nobody allowed is denied, and a server that is not there is told', async () => {
    const world = await makeWorld(CALLS_SUM);
    const config = JSON.stringify({ mcpServers: { everything: { command: process.execPath, args: [SUM_SERVER] } } });
    const lines = await world.ask('-p', 'Add.', '--mcp-config', config, '--mcp', 'gone=/no/such/program');
    expect(lines[0]?.['mcp_servers']).toEqual([
      { name: 'gone', status: 'failed' },
      { name: 'everything', status: 'connected' },
    ]);
    expect(world.stderr()).toMatch(/^attractor: The MCP server gone did not start: .*ENOENT.*\n$/);
    expect(lines.at(-1)).toMatchObject({ permission_denials: [{ tool_name: SUM }] });
    const asked = world.requests().length;
    const refused = await world.ask('-p', 'Add.', '--mcp-config', config, '--permission-prompt-tool', `${SUM}s`);
    expect(refused).toMatchObject([
      { is_error: true, result: expect.stringMatching(/no server .* has this tool\. Did you mean .*get-sum\?$/) },
    ]);
    expect(world.requests()).toHaveLength(asked);
  });

  test("a person's own servers are used; a repository's only once it is trusted", async () => {
    const world = await makeWorld([{ text: 'One.' }, { text: 'Two.' }]);
    const definition = { command: process.execPath, args: [SUM_SERVER] };
    mkdirSync(path.join(world.folder, '.git'));
    writeFileSync(path.join(world.home, '.claude.json'), JSON.stringify({ mcpServers: { mine: definition } }));
    writeFileSync(path.join(world.folder, '.mcp.json'), JSON.stringify({ mcpServers: { theirs: definition } }));
    const before = await world.ask('-p', 'Hello.');
    expect(before[0]?.['mcp_servers']).toEqual([{ name: 'mine', status: 'connected' }]);
    const trusted = await attractor(['trust', 'grant', '--yes'], { home: world.home, cwd: world.folder });
    expect(trusted).toMatchObject({ code: 0 });
    const after = await world.ask('-p', 'Hello.');
    expect(after[0]?.['mcp_servers']).toContainEqual({ name: 'theirs', status: 'connected' });
    expect(after[0]?.['mcp_servers']).toContainEqual({ name: 'mine', status: 'pending' });
  });
});
