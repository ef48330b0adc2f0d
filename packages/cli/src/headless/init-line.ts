import { randomUUID } from 'node:crypto';
import type { Mcp, McpServerStatus, Policy, ProviderProfile, Session } from '@attractor/agent';
import { VERSION } from '../version.ts';
import type { Line } from './event-lines.ts';
import type { HeadlessFlags } from './flags.ts';

type Beginning = {
  readonly session: Session;
  readonly profile: ProviderProfile;
  readonly flags: HeadlessFlags;
  readonly cwd: string;
  readonly model: string;
  readonly policy: Policy;
  readonly mcp: Mcp | null;
};

/** The first line of stream-json: what the session can do. Lists of what is not there yet are empty, not absent. */
export function initLine({ session, profile, flags, cwd, model, policy, mcp }: Beginning): Line {
  const tools = [...profile.toolRegistry.list(), ...(mcp?.list() ?? [])];
  return {
    type: 'system',
    subtype: 'init',
    session_id: session.id,
    cwd,
    tools: tools.flatMap(({ definition: { name } }) => (policy.hides(name) ? [] : [name])),
    mcp_servers: (mcp?.servers() ?? []).map(({ name, state }) => ({ name, status: STATUS[state] })),
    model,
    permissionMode: flags.permissionMode,
    slash_commands: [],
    agents: [],
    skills: [],
    plugins: [],
    output_style: 'default',
    apiKeySource: 'user',
    claude_code_version: VERSION,
    capabilities: [],
    uuid: randomUUID(),
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
