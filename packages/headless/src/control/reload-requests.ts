import { statSync } from 'node:fs';
import path from 'node:path';
import type { AgentSession } from '@attractor/agent';
import { isRecord } from '@attractor/base';
import { serverStatus } from '../server-status.ts';
import type { Answer } from './controlled.ts';
import type { Fields } from './channel.ts';

/** Everything that plugins bring is read again, with further ones. */
export const reloadPlugins: Answer = async (
  { session },
  { hold_on_cache_impact: holds, add_plugins: further, refuse_if_busy: ifIdle },
) => {
  if (holds === true)
    return { error: 'reload_plugins: hold_on_cache_impact is not done: without it plugins are read again.' };
  if (ifIdle === true && isBusy(session))
    return { error: 'reload_plugins: the session is at work.', error_code: 'reload_plugins_busy' };
  const folders = foldersIn(further);
  if (typeof folders === 'string') return { error: `reload_plugins: ${folders}` };
  const unread = await session.readPluginsAgain(folders);
  if (unread !== null) return { error: unread };
  const names = session.names();
  return {
    response: {
      commands: names.listed,
      agents: agentsOf(session),
      plugins: names.plugins.map(({ name, folder }) => ({ name, path: folder })),
      mcpServers: session.servers().map(serverStatus),
      error_count: names.problems,
    },
  };
};

/** A command that was left running does not count. */
function isBusy(session: AgentSession): boolean {
  return session.state() !== 'IDLE' || session.subagents().some(({ status }) => status === 'running');
}

function foldersIn(given: unknown): ReadonlyArray<string> | string {
  const folders: string[] = [];
  for (const one of Array.isArray(given) ? given : []) {
    const { path: folder, skipMcpDiscovery }: Fields = isRecord(one) ? one : {};
    if (typeof folder !== 'string' || !path.isAbsolute(folder)) return 'add_plugins needs absolute paths.';
    if (skipMcpDiscovery === true) return `${folder}: skipMcpDiscovery is not done: its servers would start.`;
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return `there is no folder ${folder}.`;
    folders.push(folder);
  }
  return folders;
}

export const reloadStyles: Answer = async ({ session }) => {
  const unread = await session.readPluginsAgain([]);
  return unread === null ? { response: { available_output_styles: session.names().styles } } : { error: unread };
};

export function agentsOf(session: Pick<AgentSession, 'names'>): ReadonlyArray<Fields> {
  return session.names().agents.map((name) => ({ name, description: '' }));
}
