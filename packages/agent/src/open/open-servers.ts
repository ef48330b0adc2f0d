import { defined } from '@attractor/base';
import type { Sandbox } from '@attractor/confine';
import type { Mcp } from '@attractor/mcp';
import { trustedBytes } from '@attractor/settings';
import type { AgentSessionOptions } from './agent-session.ts';

export type Servers = { readonly mcp: Mcp | null; readonly problems: ReadonlyArray<string> };

const NO_SERVERS: Servers = { mcp: null, problems: [] };

/** The code for servers is loaded only if there are any. A read-only session has none: a server's promise to only read is not enough. */
export async function openServers(options: AgentSessionOptions, sandbox: Sandbox | null): Promise<Servers> {
  const { setup, servers = { mcp: [], mcpConfig: {} }, readOnly, folder, version = 'unknown', signal } = options;
  const { mayChange = false, ...flags } = servers;
  const settings = setup?.servers ?? new Map();
  const count = flags.mcp.length + Object.keys(flags.mcpConfig).length + settings.size;
  if ((count === 0 && !mayChange) || readOnly === true) return NO_SERVERS;
  const { openSessionServers } = await import('./session-servers.ts');
  const { mcp, problems } = openSessionServers({
    flags,
    settings,
    disabled: setup?.disabledServers ?? [],
    ...(setup === undefined ? {} : { trusted: trustedBytes(setup.loaded.trust) }),
    cwd: folder,
    sandbox,
    ...defined({ home: setup?.home, env: setup?.env, elicit: options.elicit }),
    version,
  });
  return { mcp, problems: [...problems, ...(await notReady(mcp, signal))] };
}

/** Servers that don't start are reported, and the session goes on without them. */
async function notReady(mcp: Mcp, signal: AbortSignal | undefined): Promise<ReadonlyArray<string>> {
  const close = (): void => void mcp.close();
  signal?.addEventListener('abort', close, { once: true });
  if (signal?.aborted === true) close();
  const states = await mcp.ready();
  signal?.removeEventListener('abort', close);
  return states.flatMap(({ problem, notes = [] }) =>
    [...notes, ...(problem === null ? [] : [problem.message])].map((text) => text.replaceAll(/\s+/g, ' ')),
  );
}
