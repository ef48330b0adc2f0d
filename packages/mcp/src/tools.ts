import type { Tool } from '@modelcontextprotocol/client';
import { defined } from '@attractor/base';
import type { McpOrigin, McpTool } from './tool.ts';
import type { Connection } from './connection.ts';
import type { Offered } from './server-life.ts';
import type { McpServerDefinition } from './definition.ts';
import type { McpOutcome } from './failure.ts';
import { toolName } from './names.ts';
import { resourceResultOf, toolResultOf } from './result.ts';
import { toolSchema } from './tool-schema.ts';

/** The limit for one tool's description; longer ones are no better. */
const MAX_DESCRIPTION = 4_000;

export type ToolSettings = { readonly key: string; readonly maxTokens?: number };

/**
 * The tools of one server as the session's own. What a server says about them (that one only reads, say) is a hint for people and never
 * allows anything: none counts as read-only here.
 */
export function serverTools(
  connection: Connection,
  offered: Offered,
  { key, maxTokens }: ToolSettings,
): ReadonlyArray<McpTool> {
  const server = originOf(connection.definition);
  return toolsOf(connection, offered, { key, ...defined({ maxTokens }) }).map((tool) => ({ ...tool, server }));
}

type BareTool = Omit<McpTool, 'server'>;

function originOf({ name, scope, transport }: McpServerDefinition): McpOrigin {
  return { name, source: transport.kind === 'host' ? 'sdk' : scope === 'flag' ? 'dynamic' : scope };
}

function toolsOf(connection: Connection, offered: Offered, { key, maxTokens }: ToolSettings): ReadonlyArray<BareTool> {
  const taken = new Set<string>();
  const tools = offered.tools
    .filter(({ name }) => isWanted(connection.definition, name))
    .map((tool) => callTool(connection, tool, { name: toolName(key, tool.name, taken), maxTokens }));
  if (!offered.hasResources) return tools;
  const named = (tool: string): Named => ({ name: toolName(key, tool, taken), maxTokens });
  return [
    ...tools,
    listResources(connection, named('list_resources')),
    readResource(connection, named('read_resource')),
  ];
}

function isWanted({ onlyTools, withoutTools }: McpServerDefinition, name: string): boolean {
  return onlyTools?.includes(name) !== false && withoutTools?.includes(name) !== true;
}

type Named = { readonly name: string; readonly maxTokens: number | undefined };

function callTool(connection: Connection, tool: Tool, { name, maxTokens }: Named): BareTool {
  return {
    definition: { name, description: describe(connection, tool), parameters: toolSchema(tool.inputSchema) },
    executor: async (args, _env, context) => {
      const { signal, onOutput } = context ?? {};
      const asked = await connection.ask(
        (client, options) => client.callTool({ name: tool.name, arguments: { ...args } }, options),
        { signal, ...defined({ onProgress: onOutput }) },
      );
      return answered(asked, (result) => toolResultOf(result, maxTokens));
    },
  };
}

function describe({ definition }: Connection, { description, title, name }: Tool): string {
  const said = (description ?? title ?? '').trim().slice(0, MAX_DESCRIPTION);
  return said === '' ? `The tool ${name} of the MCP server ${definition.name}.` : said;
}

function listResources(connection: Connection, { name }: Named): BareTool {
  return {
    definition: {
      name,
      description: `Lists what can be read from the MCP server ${connection.definition.name}: resources, and templates of their addresses.`,
      parameters: { type: 'object', properties: {} },
    },
    executor: async (_args, _env, context) => {
      const asked = await connection.ask(
        async (client, { signal, timeout }) => {
          const { resources } = await client.listResources({}, { signal, timeout });
          const templates = await client.listResourceTemplates({}, { signal, timeout }).catch(() => null);
          return { resources, templates: templates?.resourceTemplates ?? [] };
        },
        { signal: context?.signal },
      );
      return answered(asked, ({ resources, templates }) => ({ output: listing(resources, templates), isError: false }));
    },
  };
}

type Listed = {
  readonly name: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
};

function listing(
  resources: ReadonlyArray<Listed & { readonly uri: string }>,
  templates: ReadonlyArray<Listed & { readonly uriTemplate: string }>,
): string {
  const lines = [
    ...resources.map(({ uri, ...about }) => line(uri, about)),
    ...templates.map(({ uriTemplate, ...about }) => line(`template ${uriTemplate}`, about)),
  ];
  return lines.length === 0
    ? 'There is nothing to read.'
    : toolResultOf({ content: [{ type: 'text', text: lines.join('\n') }] }).output;
}

function line(address: string, { name, description, mimeType }: Listed): string {
  return [address, name, mimeType, description].filter((part) => part !== undefined && part !== '').join(' · ');
}

function readResource(connection: Connection, { name, maxTokens }: Named): BareTool {
  return {
    definition: {
      name,
      description: `Reads one resource of the MCP server ${connection.definition.name} by its address.`,
      parameters: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
    },
    executor: async (args, _env, context) => {
      const asked = await connection.ask(
        (client, { signal, timeout }) => client.readResource({ uri: String(args['uri']) }, { signal, timeout }),
        { signal: context?.signal },
      );
      return answered(asked, (result) => resourceResultOf(result, maxTokens));
    },
  };
}

type Answer = Exclude<Awaited<ReturnType<McpTool['executor']>>, string>;

function answered<Value>(asked: McpOutcome<Value>, show: (value: Value) => Answer): Answer {
  return asked.ok ? show(asked.value) : { output: asked.error.message, isError: true };
}
