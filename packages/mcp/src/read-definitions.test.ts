import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { expandVariables } from './expand-variables.ts';
import { type McpForm, type McpServersReading, readMcpServers } from './read-definitions.ts';

const VARIABLES = { HOME: '/h', KEY: 'k', EMPTY: '' };

function read(form: McpForm, servers: Readonly<Record<string, unknown>>): McpServersReading {
  return readMcpServers({ form, servers, scope: 'user', variables: VARIABLES });
}

const stdio = (command: string, args: string[] = [], env = {}) => ({ kind: 'stdio', command, args, env });

describe('readMcpServers', () => {
  it('reads .mcp.json and mcpServers of settings, with variables and their defaults', () => {
    const { servers, unmapped, problems, disabled } = read('claude', {
      local: {
        command: '${HOME}/bin',
        args: ['--key=${KEY}', '${NONE:-x}'],
        env: { A: '${EMPTY:-full}' },
        timeout: 5000,
      },
      remote: {
        type: 'http',
        url: 'https://mcp.example.com/${KEY}',
        headers: { 'X-Key': '${KEY}' },
        headersHelper: 'helper.sh',
        oauth: { clientId: 'c', callbackPort: 8080, authServerMetadataUrl: 'https://i', odd: 1 },
      },
      older: { type: 'sse', url: 'https://sse.example.com' },
      off: { command: 'x', disabled: true },
      unset: { command: 'x', args: ['${NOT_SET}'] },
      socket: { type: 'ws', url: 'wss://x' },
      empty: {},
      file: { type: 'http', url: 'file:///etc/passwd' },
      wrong: { command: 5 },
      list: [],
    });
    expect(servers).toEqual([
      {
        name: 'local',
        scope: 'user',
        transport: stdio('/h/bin', ['--key=k', 'x'], { A: 'full' }),
        callTimeoutMs: 5000,
      },
      {
        name: 'remote',
        scope: 'user',
        transport: {
          kind: 'http',
          url: 'https://mcp.example.com/k',
          headers: { 'X-Key': 'k' },
          headersHelper: 'helper.sh',
          oauth: { clientId: 'c', callbackPort: 8080, authServerMetadataUrl: 'https://i' },
        },
      },
      { name: 'older', scope: 'user', transport: { kind: 'sse', url: 'https://sse.example.com', headers: {} } },
    ]);
    expect(disabled).toEqual(['off']);
    expect(unmapped).toEqual([
      { server: 'remote', key: 'oauth.odd' },
      { server: 'socket', key: 'url' },
    ]);
    expect(problems).toEqual([
      { server: 'unset', message: 'args needs the variable NOT_SET, which is not set' },
      { server: 'socket', message: 'type: ws is not supported; expected stdio, http or sse' },
      { server: 'empty', message: 'expected a command or a url' },
      { server: 'file', message: 'url: expected an address that begins with https:// or http://' },
      { server: 'wrong', message: 'command: expected a text' },
      { server: 'list', message: 'expected an object' },
    ]);
  });

  it('reads the tables of Codex', () => {
    const { mcp_servers: tables } = parse(`
      [mcp_servers.files]
      command = "files"
      args = ["."]
      env_vars = ["KEY", "NONE"]
      env = { B = "b" }
      cwd = "/w"
      startup_timeout_sec = 2
      tool_timeout_sec = 30
      enabled_tools = ["a"]
      disabled_tools = ["b"]
      required = true
      [mcp_servers.web]
      url = "https://x"
      bearer_token_env_var = "KEY"
      http_headers = { H = "1" }
      env_http_headers = { E = "HOME" }
      scopes = ["read"]
      [mcp_servers.off]
      command = "x"
      enabled = false
      [mcp_servers.poor]
      url = "https://x"
      bearer_token_env_var = "NONE"
    `);
    const { servers, ...rest } = read('codex', Object(tables));
    expect(servers).toEqual([
      {
        name: 'files',
        scope: 'user',
        transport: { ...stdio('files', ['.'], { KEY: 'k', B: 'b' }), cwd: '/w' },
        startupTimeoutMs: 2000,
        callTimeoutMs: 30_000,
        onlyTools: ['a'],
        withoutTools: ['b'],
      },
      {
        name: 'web',
        scope: 'user',
        transport: {
          kind: 'http',
          url: 'https://x',
          headers: { H: '1', E: '/h', Authorization: 'Bearer k' },
          oauth: { scopes: ['read'] },
        },
      },
    ]);
    expect(rest).toEqual({
      disabled: ['off'],
      unmapped: [{ server: 'files', key: 'required' }],
      problems: [{ server: 'poor', message: 'the header Authorization needs the variable NONE, which is not set' }],
    });
  });

  it.each<readonly [McpForm, Readonly<Record<string, unknown>>, object, ReadonlyArray<string>]>([
    [
      'gemini',
      { command: 'x', cwd: '/w', trust: true, includeTools: ['a(b)'], excludeTools: ['c'], timeout: 9 },
      { transport: { ...stdio('x'), cwd: '/w' }, onlyTools: ['a'], withoutTools: ['c'], callTimeoutMs: 9 },
      ['trust'],
    ],
    [
      'claude',
      {
        type: 'http',
        url: 'https://x',
        tools: [
          { name: 'rm', permission_policy: 'always_deny' },
          { name: 'ls', permission_policy: 'always_allow' },
          { name: 'mv', org_max_permission: 'blocked' },
        ],
      },
      { transport: { kind: 'http', url: 'https://x', headers: {} }, withoutTools: ['rm', 'mv'] },
      ['tools: always_allow'],
    ],
    ['gemini', { httpUrl: 'https://x' }, { transport: { kind: 'http', url: 'https://x', headers: {} } }, []],
    ['gemini', { url: 'https://x' }, { transport: { kind: 'sse', url: 'https://x', headers: {} } }, []],
    [
      'opencode',
      { type: 'local', command: ['x', '{env:KEY}'], environment: { A: '${KEY}' }, timeout: 7 },
      { transport: stdio('x', ['k'], { A: '${KEY}' }), startupTimeoutMs: 7 },
      [],
    ],
    [
      'opencode',
      { type: 'remote', url: 'https://x', headers: { H: '{env:KEY}' }, oauth: { clientId: 'c', scope: 'a b' } },
      {
        transport: {
          kind: 'http',
          url: 'https://x',
          headers: { H: 'k' },
          oauth: { clientId: 'c', scopes: ['a', 'b'] },
        },
      },
      [],
    ],
    [
      'opencode',
      { type: 'remote', url: 'https://x', oauth: false },
      { transport: { kind: 'http', url: 'https://x', headers: {} } },
      [],
    ],
    [
      'cline',
      { type: 'streamableHttp', url: 'https://x', autoApprove: ['a'], disabled: false, timeout: 60 },
      { transport: { kind: 'http', url: 'https://x', headers: {} }, callTimeoutMs: 60_000 },
      ['autoApprove'],
    ],
  ])('reads what %s writes: %j', (form, entry, expected, keys) => {
    const { servers, unmapped, problems } = read(form, { s: entry });
    expect(problems).toEqual([]);
    expect(servers).toEqual([{ name: 's', scope: 'user', ...expected }]);
    expect(unmapped.map(({ key }) => key)).toEqual(keys);
  });

  it.each([{ permission_policy: 'always_ask' }, { permission_policy: 'never' }, { org_max_permission: 'ask' }])(
    'does not use a server whose tool is to ask: %j',
    (policy) => {
      const { servers, problems } = read('claude', { s: { url: 'https://x', tools: [{ name: 'rm', ...policy }] } });
      expect(servers).toEqual([]);
      expect(problems).toEqual([
        expect.objectContaining({ message: expect.stringMatching(/rm is to ask: .*permissions\.ask/) }),
      ]);
    },
  );

  it.each<readonly [McpForm, object, Readonly<Record<string, unknown>>]>([
    [
      'claude',
      { type: 'http', url: 'https://x' },
      {
        headers: { A: 'b' },
        headersHelper: 'h',
        timeout: 5,
        oauth: { clientId: 'c' },
        disabled: true,
        alwaysLoad: true,
        tools: [{ name: 'rm', permission_policy: 'always_deny' }],
      },
    ],
    ['claude', { command: 'x' }, { args: ['a'], env: { A: 'b' }, cwd: '/w', timeout: 5, alwaysLoad: true }],
    [
      'codex',
      { command: 'x' },
      {
        args: ['a'],
        env: { A: 'b' },
        env_vars: ['KEY'],
        cwd: '/w',
        startup_timeout_sec: 1,
        startup_timeout_ms: 1,
        tool_timeout_sec: 1,
        enabled: false,
        required: true,
        enabled_tools: ['a'],
        disabled_tools: ['a'],
        supports_parallel_tool_calls: true,
        default_tools_approval_mode: 'prompt',
        tools: {},
        environment_id: 'e',
      },
    ],
    [
      'codex',
      { url: 'https://x' },
      {
        bearer_token_env_var: 'KEY',
        http_headers: { A: 'b' },
        env_http_headers: { A: 'KEY' },
        scopes: ['s'],
        oauth: { clientId: 'c' },
        oauth_resource: 'r',
        auth: 'oauth',
      },
    ],
    [
      'gemini',
      { command: 'x' },
      {
        args: ['a'],
        env: { A: 'b' },
        cwd: '/w',
        timeout: 5,
        trust: true,
        description: 'd',
        includeTools: ['a'],
        excludeTools: ['a'],
        authProviderType: 'x',
        targetAudience: 'x',
        targetServiceAccount: 'x',
        tcp: 'x',
      },
    ],
    ['gemini', { httpUrl: 'https://x' }, { headers: { A: 'b' }, oauth: { clientId: 'c' }, timeout: 5 }],
    ['opencode', { type: 'local', command: ['x'] }, { environment: { A: 'b' }, enabled: false, timeout: 5, cwd: '/w' }],
    ['opencode', { type: 'remote', url: 'https://x' }, { headers: { A: 'b' }, oauth: { clientId: 'c' }, timeout: 5 }],
    ['cline', { command: 'x' }, { args: ['a'], env: { A: 'b' }, disabled: true, autoApprove: ['a'], timeout: 5 }],
  ])('%s: every published field of %j has an effect, or is named', (form, entry, fields) => {
    const plain = JSON.stringify(read(form, { s: entry }));
    const silent = Object.entries(fields).filter(([key, value]) => {
      const { unmapped, ...rest } = read(form, { s: { ...entry, [key]: value } });
      return !unmapped.some((one) => one.key === key) && JSON.stringify({ ...rest, unmapped }).length === plain.length;
    });
    expect(silent).toEqual([]);
  });

  it('never looks beyond the variables it was given', () => {
    expect(expandVariables('${toString}${PATH}', { A: '1' })).toEqual({
      text: '${toString}${PATH}',
      missing: ['toString', 'PATH'],
    });
    expect(expandVariables('$A ${A}${A:-b}${ A }', { A: '1' })).toEqual({ text: '$A 11${ A }', missing: [] });
  });
});
