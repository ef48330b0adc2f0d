import { defined, isRecord } from '@attractor/base';
import type { AgentDefinition, HookDefinition } from '@attractor/settings';
import { hooksByControl } from './hooks-by-control.ts';
import type { ControlChannel, Fields } from './channel.ts';
import { hostServer, type HostServer } from './host-servers.ts';
import { readWireAgents } from './wire-agents.ts';

/** What a program says before the session is opened, and what of it would be without effect. */
export type Initialized = {
  /** As it was said. */
  readonly request: Fields;
  readonly requestId: unknown;
  readonly hooks: ReadonlyArray<HookDefinition>;
  readonly agents: ReadonlyArray<AgentDefinition>;
  /** The MCP servers inside that program. */
  readonly hostServers: ReadonlyArray<HostServer>;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly planModeInstructions?: string;
  readonly jsonSchema?: Fields;
  /** The only skills that the session has, by name. */
  readonly skills?: ReadonlyArray<string>;
  /** What a new session is called in lists. */
  readonly title?: string;
  /** Calls of a tool that another one answers, by name. */
  readonly toolAliases?: Readonly<Record<string, string>>;
  /** An interrupt leaves agents alone that nobody waits for: the program can stop each. */
  readonly sparesLeft: boolean;
  /** After each answer, what the person may say next. */
  readonly suggestsPrompts: boolean;
  /** What agents at work are doing is told in a few words. */
  readonly tellsProgress: boolean;
  /** Folders of plugins. */
  readonly plugins: ReadonlyArray<string>;
  /** While there is any, no session is opened: what a program asks for is done, or refused by name. */
  readonly refused: ReadonlyArray<string>;
};

/** The request `initialize`, which must be the first line. */
export function readInitialize(line: Fields, channel: Pick<ControlChannel, 'request'>): Initialized {
  const request = isRecord(line['request']) ? line['request'] : {};
  const hooks = hooksByControl(request['hooks'], channel);
  const agents = readWireAgents(request['agents']);
  const configs = isRecord(request['sdkMcpServerConfigs']) ? request['sdkMcpServerConfigs'] : {};
  const plugins = Array.isArray(request['plugins']) ? request['plugins'].filter(isRecord) : [];
  return {
    request,
    requestId: line['request_id'] ?? null,
    hooks: hooks.definitions,
    agents: agents.agents,
    hostServers: (textsOf(request['sdkMcpServers']) ?? []).map((name) => hostServer(name, configs[name])),
    sparesLeft: request['perTaskStopAffordance'] === true,
    suggestsPrompts: request['promptSuggestions'] === true,
    tellsProgress: request['agentProgressSummaries'] === true,
    plugins: plugins.flatMap(({ path }) => (typeof path === 'string' ? [path] : [])),
    ...defined({
      systemPrompt: textOf(request['systemPrompt']),
      appendSystemPrompt: textOf(request['appendSystemPrompt']),
      planModeInstructions: textOf(request['planModeInstructions']),
      jsonSchema: isRecord(request['jsonSchema']) ? request['jsonSchema'] : undefined,
      skills: textsOf(request['skills']),
      title: textOf(request['title']),
      toolAliases: aliasesOf(request['toolAliases']) ?? undefined,
    }),
    refused: [
      ...hooks.refused,
      ...agents.refused,
      ...policiesOf(request),
      ...skipping(plugins),
      ...withoutEffect(request),
      ...(aliasesOf(request['toolAliases']) === null ? ['toolAliases: expected names of tools by name'] : []),
    ],
  };
}

/** What a plugin must not bring is a limit. */
function skipping(plugins: ReadonlyArray<Fields>): ReadonlyArray<string> {
  return plugins.some(({ skipMcpDiscovery }) => skipMcpDiscovery === true)
    ? ['plugins.skipMcpDiscovery: the servers of a plugin would start']
    : [];
}

/** Fields that are done, or whose absence from the session changes nothing for the program. */
const DONE: ReadonlySet<string> = new Set([
  'subtype',
  'hooks',
  'agents',
  'sdkMcpServers',
  'sdkMcpServerConfigs',
  'sdkMcpServerManifests',
  'sdkMcpServerManifestsOrigin',
  'systemPrompt',
  'appendSystemPrompt',
  'systemPromptSnapshot',
  'planModeInstructions',
  'jsonSchema',
  'skills',
  'title',
  'toolAliases',
  'plugins',
  'forwardSubagentText',
  'supportedDialogKinds',
  'perTaskStopAffordance',
  'promptSuggestions',
  'agentProgressSummaries',
]);

const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  excludeDynamicSections: 'the system text is one piece here',
};

function withoutEffect(request: Fields): ReadonlyArray<string> {
  return Object.entries(request).flatMap(([field, value]) => {
    if (DONE.has(field) || value === undefined || value === null || value === false) return [];
    return [`${field}: ${WITHOUT_EFFECT[field] ?? 'is not known here'}`];
  });
}

/** A tool policy of a server is a limit that is not held here. */
function policiesOf(request: Fields): ReadonlyArray<string> {
  const configs = isRecord(request['sdkMcpServerConfigs']) ? Object.entries(request['sdkMcpServerConfigs']) : [];
  return configs.flatMap(([name, config]) => {
    const problem = policyOf(name, config);
    return problem === null ? [] : [`sdkMcpServerConfigs.${name}.${problem}`];
  });
}

export function policyOf(name: string, config: unknown): string | null {
  const tools = isRecord(config) ? config['tools'] : undefined;
  if (!Array.isArray(tools) || tools.length === 0) return null;
  return `tools: write them as rules, such as disallowedTools ["mcp__${name}__tool"]`;
}

/** One text, or several that are said one after the other. An empty one is none: the session then has its own. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : textsOf(value)?.join('\n\n');
  return text?.trim() === '' ? undefined : text;
}

function textsOf(value: unknown): ReadonlyArray<string> | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}

/** Null: they can't be read. */
function aliasesOf(value: unknown): Readonly<Record<string, string>> | null {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) return null;
  const entries = Object.entries(value).flatMap(([name, target]) =>
    typeof target === 'string' && target !== '' ? [[name, target] as const] : [],
  );
  return entries.length === Object.keys(value).length ? Object.fromEntries(entries) : null;
}
