import { newUuid } from '@attractor/base/id';
import type { AgentDefinition } from '@attractor/settings';
import type { Mcp, McpServerStatus } from '@attractor/mcp';
import type { Session } from '@attractor/agent';
import { VERSION } from '../version.ts';
import type { Line } from './event-lines.ts';
import type { FilesHere } from './files-here.ts';
import type { HeadlessFlags } from './flags.ts';

type Beginning = {
  readonly session: Session;
  readonly agents: ReadonlyArray<AgentDefinition>;
  readonly flags: HeadlessFlags;
  readonly cwd: string;
  readonly model: string;
  readonly mcp: Mcp | null;
  readonly files: Pick<FilesHere, 'names'>;
};

/** The first line of stream-json: what the session can do. Lists of what is not there yet are empty, not absent. */
export function initLine({ session, agents, flags, cwd, model, mcp, files }: Beginning): Line {
  const startsAgents = flags.config['maxSubagentDepth'] !== 0;
  return {
    type: 'system',
    subtype: 'init',
    session_id: session.id,
    cwd,
    tools: session.tools().map(({ name }) => name),
    mcp_servers: (mcp?.servers() ?? []).map(({ name, state }) => ({ name, status: STATUS[state] })),
    model,
    permissionMode: flags.permissionMode,
    slash_commands: files.names.commands,
    agents: startsAgents ? agents.map(({ name }) => name) : [],
    skills: files.names.skills,
    plugins: files.names.plugins.map((name) => ({ name })),
    output_style: files.names.style,
    apiKeySource: 'user',
    claude_code_version: VERSION,
    capabilities: [],
    uuid: newUuid(),
  };
}

/** In the words of the wire. A server that is off starts when it is first used. */
const STATUS: Readonly<Record<McpServerStatus['state'], string>> = {
  on: 'connected',
  off: 'pending',
  starting: 'pending',
  failed: 'failed',
  closed: 'disabled',
  untrusted: 'disabled',
};
