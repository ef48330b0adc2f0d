import { readFileSync } from 'node:fs';
import { isRecord, messageOf } from '@attractor/base';
import type { McpServerDefinition } from '@attractor/mcp';
import { InvalidArgumentError } from 'commander';

/**
 *   server := name '=' ( url | command ( ',' argument )* )
 *
 * What a person names on the command line is their own: no repository can influence it.
 */
export function mcpFlag(text: string, before: ReadonlyArray<McpServerDefinition>): ReadonlyArray<McpServerDefinition> {
  const [, name = '', value = ''] = /^([^=,\s]+)=([^]+)$/.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('expected NAME=COMMAND,ARG… or NAME=https://…');
  if (before.some((server) => server.name === name)) throw new InvalidArgumentError(`${name} is given twice`);
  if (/^https?:\/\//i.test(value)) {
    if (!URL.canParse(value)) throw new InvalidArgumentError(`${value} is not an address`);
    return [...before, { name, scope: 'flag', transport: { kind: 'http', url: value, headers: {} } }];
  }
  const [command = '', ...args] = value.split(',');
  if (command === '') throw new InvalidArgumentError(`${name} has no command`);
  return [...before, { name, scope: 'flag', transport: { kind: 'stdio', command, args, env: {} } }];
}

/** Servers in the format of other agents: a file like `.mcp.json`, or its text. */
export function mcpConfigFlag(
  value: string,
  before: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const text = value.trimStart().startsWith('{') ? value : textOf(value);
  try {
    const { mcpServers: servers }: { mcpServers?: unknown } = Object(JSON.parse(text));
    if (isRecord(servers)) return { ...before, ...servers };
  } catch (error) {
    throw new InvalidArgumentError(`not valid JSON: ${messageOf(error)}`);
  }
  throw new InvalidArgumentError('expected {"mcpServers":{…}}');
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}
