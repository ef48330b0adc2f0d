import { randomUUID } from 'node:crypto';
import type { Policy, ProviderProfile, Session } from '@attractor/agent';
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
};

/** The first line of stream-json: what the session can do. Lists of what is not there yet are empty, not absent. */
export function initLine({ session, profile, flags, cwd, model, policy }: Beginning): Line {
  return {
    type: 'system',
    subtype: 'init',
    session_id: session.id,
    cwd,
    tools: profile.toolRegistry.definitions().flatMap(({ name }) => (policy.hides(name) ? [] : [name])),
    mcp_servers: [],
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
