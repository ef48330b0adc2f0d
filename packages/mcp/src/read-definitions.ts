import { defined, isRecord } from '@attractor/base';
import type { McpHttpServer, McpOAuthSettings, McpScope, McpServerDefinition, McpStdioServer } from './definition.ts';
import type { VariableStyle } from './expand-variables.ts';
import { type Fields, readFields } from './read-fields.ts';

/**
 * Whose file it is.
 * claude    `.mcp.json`, `mcpServers` of settings: type, command, args, env, url, headers, timeout (ms), oauth
 * codex     `[mcp_servers.n]`: bearer_token_env_var, env_vars, seconds, enabled, lists of tools
 * gemini    `mcpServers`: `httpUrl` is streamable, `url` is the older transport; includeTools, excludeTools
 * opencode  `mcp`: type local or remote, `command` is the whole argument vector; `{env:NAME}` for variables
 * cline     `cline_mcp_settings.json`: disabled, type streamableHttp, timeout in seconds
 */
export type McpForm = 'claude' | 'codex' | 'gemini' | 'opencode' | 'cline';

/** The form of the entries in an agent's files; the one of Claude Code is everybody's. */
export function mcpFormOf(agent: string): McpForm {
  return OWN_FORMS.find((form) => form === agent) ?? 'claude';
}

const OWN_FORMS = ['codex', 'gemini', 'opencode', 'cline'] as const satisfies ReadonlyArray<McpForm>;

export type McpServersText = {
  readonly form: McpForm;
  /** Name → entry, as parsed. */
  readonly servers: Readonly<Record<string, unknown>>;
  readonly scope: McpScope;
  /** The values for `${NAME}`. */
  readonly variables: Readonly<Record<string, string | undefined>>;
};

export type McpServersReading = {
  readonly servers: ReadonlyArray<McpServerDefinition>;
  /** Switched off by their own entry. */
  readonly disabled: ReadonlyArray<string>;
  /** Keys of valid entries that mean nothing here: they are reported, not silently ignored. */
  readonly unmapped: ReadonlyArray<{ readonly server: string; readonly key: string }>;
  /** Why a server is not used. */
  readonly problems: ReadonlyArray<{ readonly server: string; readonly message: string }>;
};

/** The servers of one file. Pure. Servers that can't be used are reported; the others are used. */
export function readMcpServers({ form, servers, scope, variables }: McpServersText): McpServersReading {
  const read = Object.entries(servers).map(([name, value]) => readOne({ name, value, form, scope, variables }));
  return {
    servers: read.flatMap(({ definition }) => definition ?? []),
    disabled: read.flatMap(({ name, isOff }) => (isOff ? [name] : [])),
    unmapped: read.flatMap(({ name, unmapped }) => unmapped.map((key) => ({ server: name, key }))),
    problems: read.flatMap(({ name, problem }) => (problem === undefined ? [] : [{ server: name, message: problem }])),
  };
}

type One = Omit<McpServersText, 'servers'> & { readonly name: string; readonly value: unknown };

type Read = {
  readonly name: string;
  readonly isOff: boolean;
  readonly unmapped: ReadonlyArray<string>;
  readonly definition?: McpServerDefinition;
  readonly problem?: string;
};

function readOne({ name, value, form, scope, variables }: One): Read {
  if (!isRecord(value)) return { name, isOff: false, unmapped: [], problem: 'expected an object' };
  const fields = readFields({ value, variables, style: STYLES[form] });
  const { isOn, transport, ...rest } = FORMS[form](fields);
  const unmapped = fields.unread();
  if (!isOn) return { name, isOff: true, unmapped };
  const [problem] = fields.problems();
  if (transport === undefined || problem !== undefined)
    return { name, isOff: false, unmapped, problem: problem ?? 'expected a command or a url' };
  return { name, isOff: false, unmapped, definition: { name, scope, transport, ...rest } };
}

const STYLES: Readonly<Record<McpForm, VariableStyle>> = {
  claude: 'dollar',
  codex: 'dollar',
  gemini: 'dollar',
  opencode: 'braces',
  cline: 'dollar',
};

type Lowered = Omit<McpServerDefinition, 'name' | 'scope' | 'transport'> & {
  readonly isOn: boolean;
  readonly transport: McpServerDefinition['transport'] | undefined;
};

const FORMS: Readonly<Record<McpForm, (fields: Fields) => Lowered>> = {
  claude: (fields) => ({
    isOn: fields.flag('disabled') !== true,
    transport: typed(fields, fields.text('type')),
    ...timeouts({ call: fields.number('timeout') }),
    ...tools(undefined, deniedTools(fields)),
  }),
  codex: (fields) => ({
    isOn: fields.flag('enabled') !== false,
    transport: ofCodex(fields),
    ...timeouts({
      startup: seconds(fields.number('startup_timeout_sec')) ?? fields.number('startup_timeout_ms'),
      call: seconds(fields.number('tool_timeout_sec')),
    }),
    ...tools(fields.texts('enabled_tools'), fields.texts('disabled_tools')),
  }),
  gemini: (fields) => ({
    isOn: true,
    transport: ofGemini(fields),
    ...timeouts({ call: fields.number('timeout') }),
    ...tools(fields.texts('includeTools'), fields.texts('excludeTools')),
  }),
  opencode: (fields) => ({
    isOn: fields.flag('enabled') !== false,
    transport: ofOpencode(fields),
    ...timeouts({ startup: fields.number('timeout') }),
  }),
  cline: (fields) => ({
    isOn: fields.flag('disabled') !== true,
    transport: typed(fields, fields.text('type') ?? fields.text('transportType')),
    ...timeouts({ call: seconds(fields.number('timeout')) }),
  }),
};

/** `tools: [{ name, permission_policy }]`: a tool that is always denied is not there. Others are asked about unless a rule allows them. */
function deniedTools(fields: Fields): ReadonlyArray<string> | undefined {
  const given = fields.written('tools');
  if (given === undefined) return undefined;
  const policies = Array.isArray(given) ? given.filter(isRecord) : [];
  if (!Array.isArray(given) || policies.length < given.length) fields.problem('tools: expected a list of { name }');
  if (policies.some((one) => one['permission_policy'] === 'always_allow')) fields.leave('tools: always_allow');
  const asked = policies.find(isToAsk);
  if (asked !== undefined)
    fields.problem(`tools: ${String(asked['name'])} is to ask: write it as a rule of permissions.ask`);
  return policies
    .filter((one) => one['permission_policy'] === 'always_deny' || one['org_max_permission'] === 'blocked')
    .map(({ name }) => String(name));
}

/** A policy that nobody knows asks, too. */
function isToAsk({ permission_policy: policy, org_max_permission: most }: Readonly<Record<string, unknown>>): boolean {
  const isDenied = policy === 'always_deny' || most === 'blocked';
  return !isDenied && (most === 'ask' || (policy !== undefined && policy !== 'always_allow'));
}

const KINDS: Readonly<Record<string, 'stdio' | 'http' | 'sse'>> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  sse: 'sse',
};

/** `type` decides; without one, an entry with a `url` is a streamable server. */
function typed(fields: Fields, type: string | undefined): Lowered['transport'] {
  const kind = type === undefined ? (fields.has('url') ? 'http' : 'stdio') : KINDS[type];
  if (kind === undefined) {
    fields.problem(`type: ${type} is not supported; expected stdio, http or sse`);
    return undefined;
  }
  return kind === 'stdio' ? program(fields) : address(fields, kind);
}

function program(fields: Fields): McpStdioServer | undefined {
  const command = fields.text('command');
  const [args, env, cwd] = [fields.texts('args') ?? [], fields.textMap('env') ?? {}, fields.text('cwd')];
  if (command === undefined || command === '') return undefined;
  return { kind: 'stdio', command, args, env, ...defined({ cwd }) };
}

function address(fields: Fields, kind: 'http' | 'sse', key = 'url'): McpHttpServer | undefined {
  const url = fields.text(key);
  const headers = fields.textMap('headers') ?? {};
  const oauth = signIn(fields.inner('oauth'));
  const headersHelper = fields.text('headersHelper');
  if (url === undefined) return undefined;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    fields.problem(`${key}: expected an address that begins with https:// or http://`);
    return undefined;
  }
  return { kind, url, headers, ...defined({ headersHelper, oauth }) };
}

function signIn(fields: Fields | undefined): McpOAuthSettings | undefined {
  if (fields === undefined) return undefined;
  const scope = fields.has('scope') ? fields.text('scope')?.split(' ') : fields.texts('scopes');
  return defined({
    clientId: fields.text('clientId'),
    clientSecret: fields.text('clientSecret'),
    callbackPort: fields.number('callbackPort'),
    authServerMetadataUrl: fields.text('authServerMetadataUrl'),
    scopes: scope,
  });
}

function ofCodex(fields: Fields): Lowered['transport'] {
  if (!fields.has('url')) {
    const server = program(fields);
    const passed = (fields.texts('env_vars') ?? []).flatMap((name) => {
      const value = fields.variable(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return server && { ...server, env: { ...Object.fromEntries(passed), ...server.env } };
  }
  const server = address(fields, 'http');
  const headers = { ...fields.textMap('http_headers'), ...headersFromVariables(fields) };
  const scopes = fields.texts('scopes');
  return server && { ...server, headers, ...(scopes === undefined ? {} : { oauth: { ...server.oauth, scopes } }) };
}

function headersFromVariables(fields: Fields): Readonly<Record<string, string>> {
  const named = Object.entries(fields.textMap('env_http_headers') ?? {}).map(([header, name]) => [
    header,
    fields.variable(name),
    name,
  ]);
  const token = fields.text('bearer_token_env_var');
  const bearer = token === undefined ? undefined : fields.variable(token);
  if (token !== undefined) named.push(['Authorization', bearer === undefined ? undefined : `Bearer ${bearer}`, token]);
  const headers: Record<string, string> = {};
  for (const [header = '', value, name] of named) {
    if (value === undefined) fields.problem(`the header ${header} needs the variable ${name}, which is not set`);
    else headers[header] = value;
  }
  return headers;
}

function ofGemini(fields: Fields): Lowered['transport'] {
  if (fields.has('httpUrl')) return address(fields, 'http', 'httpUrl');
  if (fields.has('url')) return address(fields, fields.text('type') === 'http' ? 'http' : 'sse');
  return program(fields);
}

function ofOpencode(fields: Fields): Lowered['transport'] {
  if (fields.text('type') === 'remote') return address(fields, 'http');
  const [command, ...args] = fields.texts('command') ?? [];
  const env = fields.textMap('environment') ?? {};
  return command === undefined ? undefined : { kind: 'stdio', command, args, env };
}

function timeouts(of: {
  readonly startup?: number | undefined;
  readonly call?: number | undefined;
}): Pick<McpServerDefinition, 'startupTimeoutMs' | 'callTimeoutMs'> {
  return defined({ startupTimeoutMs: of.startup, callTimeoutMs: of.call });
}

function tools(
  only: ReadonlyArray<string> | undefined,
  without: ReadonlyArray<string> | undefined,
): Pick<McpServerDefinition, 'onlyTools' | 'withoutTools'> {
  // Gemini allows a name with its arguments: `tool(arg)`.
  const names = (list: ReadonlyArray<string> | undefined) => list?.map((name) => name.replace(/\(.*$/, ''));
  return defined({ onlyTools: names(only), withoutTools: names(without) });
}

function seconds(value: number | undefined): number | undefined {
  return value === undefined ? undefined : value * 1000;
}
