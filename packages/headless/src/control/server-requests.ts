import { isRecord } from '@attractor/base';
import type { McpServerDefinition } from '@attractor/mcp';
import { informationalLine } from '@attractor/stream-json';
import type { Answer, Controlled, ControlOutcome } from './controlled.ts';
import type { Fields } from './channel.ts';
import { hostServer } from './host-servers.ts';
import { policyOf } from './initialize.ts';

const NO_SERVERS = 'this session has no servers: they are off in a session that only reads.';

export const reconnectServer: Answer = async ({ session }, { serverName: name }) =>
  outcomeOf(await session.changeServers?.reconnect(String(name)));

export const toggleServer: Answer = async ({ session }, { serverName: name, enabled }) => {
  if (typeof enabled !== 'boolean') return { error: 'mcp_toggle needs `enabled`, true or false.' };
  return outcomeOf(await session.changeServers?.toggle(String(name), enabled));
};

function outcomeOf(problem: string | null | undefined): ControlOutcome {
  if (problem === null) return { response: {} };
  return { error: problem ?? NO_SERVERS };
}

/** A server that can't be read, or whose limits could not be held, is not added: its error says why. */
export const setServers: Answer = async (controlled, { servers }) => {
  const { session, write } = controlled;
  if (!isRecord(servers)) return { error: 'mcp_set_servers needs `servers`, an object of names and servers.' };
  if (session.changeServers === null) return { error: NO_SERVERS };
  const { given, refused, notes } = await readServers(controlled, servers);
  for (const note of notes) write(informationalLine(note, session.id));
  const { added, removed, errors } = await session.changeServers.replace(given);
  return { response: { added, removed, errors: { ...errors, ...refused } } };
};

type Read = {
  readonly given: ReadonlyArray<McpServerDefinition>;
  readonly refused: Readonly<Record<string, string>>;
  readonly notes: ReadonlyArray<string>;
};

async function readServers({ hostServers, variables }: Controlled, servers: Fields): Promise<Read> {
  const { readMcpServers } = await import('@attractor/mcp');
  const limited = Object.entries(servers).flatMap(([name, config]) => {
    const problem = policyOf(name, config);
    return problem === null ? [] : [[name, problem] as const];
  });
  const limitedNames = new Set(limited.map(([name]) => name));
  const usable = Object.entries(servers).filter(([name]) => !limitedNames.has(name));
  const isHost = ([, config]: (typeof usable)[number]): boolean => isRecord(config) && config['type'] === 'sdk';
  const texts = Object.fromEntries(usable.filter((entry) => !isHost(entry)));
  const read = readMcpServers({ form: 'claude', servers: texts, scope: 'flag', variables });
  return {
    given: [
      ...read.servers,
      ...usable.filter(isHost).map(([name, config]) => hostServers.definition(hostServer(name, config))),
    ],
    refused: Object.fromEntries([
      ...limited,
      ...read.problems.map(({ server, message }) => [server, message] as const),
    ]),
    notes: read.unmapped.map(({ server, key }) => `the MCP server ${server}: "${key}" has no effect here`),
  };
}
