import type { AgentSession } from '@attractor/agent';
import type { McpServerStatus } from '@attractor/mcp';
import { newUuid } from '@attractor/base/id';
import { VERSION } from '../version.ts';
import type { Line } from '@attractor/stream-json';
import type { HeadlessFlags } from './flags.ts';

/** The first line of stream-json: what the session can do. Lists without entries are empty, not absent. */
export function initLine(session: AgentSession, flags: HeadlessFlags): Line {
  const { names } = session;
  const startsAgents = flags.config['maxSubagentDepth'] !== 0;
  return {
    type: 'system',
    subtype: 'init',
    session_id: session.id,
    cwd: session.folder,
    tools: session.tools().map(({ name }) => name),
    mcp_servers: session.servers().map(({ name, state }) => ({ name, status: STATUS[state] })),
    model: session.model,
    permissionMode: flags.permissionMode,
    slash_commands: names.commands,
    agents: startsAgents ? names.agents : [],
    skills: names.skills,
    plugins: names.plugins.map((name) => ({ name })),
    output_style: names.style,
    apiKeySource: 'user',
    claude_code_version: VERSION,
    capabilities: [],
    uuid: newUuid(),
  };
}

/** In the wire's terms. A server that is off starts when it is first used. */
const STATUS: Readonly<Record<McpServerStatus['state'], string>> = {
  on: 'connected',
  off: 'pending',
  starting: 'pending',
  failed: 'failed',
  closed: 'disabled',
  untrusted: 'disabled',
};
