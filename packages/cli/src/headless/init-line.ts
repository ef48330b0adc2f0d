import { familyNameOf, type Mcp, type McpServerStatus, newUuid, type Policy, type Session } from '@attractor/agent';
import { VERSION } from '../version.ts';
import type { Line } from './event-lines.ts';
import type { FilesHere } from './files-here.ts';
import type { HeadlessFlags } from './flags.ts';
import type { ToolsHere } from './tools-here.ts';

type Beginning = {
  readonly session: Session;
  readonly tools: ToolsHere;
  readonly flags: HeadlessFlags;
  readonly cwd: string;
  readonly model: string;
  readonly policy: Policy;
  readonly mcp: Mcp | null;
  readonly files: Pick<FilesHere, 'names'>;
};

/** The first line of stream-json: what the session can do. Lists of what is not there yet are empty, not absent. */
export function initLine({ session, tools: toolsHere, flags, cwd, model, policy, mcp, files }: Beginning): Line {
  const { profile, agents } = toolsHere;
  const names = [...profile.toolRegistry.list(), ...(mcp?.list() ?? [])].map(({ definition }) => definition.name);
  const startsAgents = flags.config['maxSubagentDepth'] !== 0 && agents.length > 0;
  const tools = startsAgents ? [...names, familyNameOf('task', profile.id)] : names;
  return {
    type: 'system',
    subtype: 'init',
    session_id: session.id,
    cwd,
    tools: tools.filter((name) => !policy.hides(name)),
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
