import type { AgentSession } from '@attractor/agent';
import { newUuid } from '@attractor/base/id';
import type { Line } from '@attractor/stream-json';
import type { HeadlessOptions } from './headless-options.ts';
import { ownNames } from './own-answers.ts';
import { serverStatus } from './server-status.ts';

/** The first line of stream-json: what the session can do. Lists without entries are empty, not absent. */
export async function initLine(
  session: AgentSession,
  { flags, version }: { readonly flags: HeadlessOptions; readonly version: string },
): Promise<Line> {
  const names = session.names();
  const called = names.listed.map(({ name }) => name);
  const prompts = session.servers().length === 0 ? [] : await session.prompts('running');
  const startsAgents = flags.config['maxSubagentDepth'] !== 0;
  return {
    type: 'system',
    subtype: 'init',
    session_id: session.id,
    cwd: session.folder,
    tools: session.tools().map(({ name }) => name),
    mcp_servers: session.servers().map((server) => {
      const { name, status } = serverStatus(server);
      return { name, status };
    }),
    model: session.model,
    permissionMode: flags.permissionMode,
    slash_commands: [...called, ...ownNames(called), ...prompts.map(({ name }) => name)],
    agents: startsAgents ? names.agents : [],
    skills: names.skills,
    plugins: names.plugins.map(({ name, folder: path }) => ({ name, path })),
    output_style: names.style,
    apiKeySource: 'user',
    claude_code_version: version,
    capabilities: ['interrupt_receipt_v1', 'mcp_read_resource_v1', 'reload_plugins_refuse_if_busy_v1'],
    uuid: newUuid(),
  };
}
