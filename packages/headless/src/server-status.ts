import { defined } from '@attractor/base';
import type { McpServerStatus } from '@attractor/mcp';

/** A server in the wire's terms. One that is off starts when it is first used. */
export function serverStatus({ name, state, problem }: McpServerStatus): Readonly<Record<string, unknown>> {
  return { name, status: STATUS[state], ...defined({ error: problem?.message }) };
}

const STATUS: Readonly<Record<McpServerStatus['state'], string>> = {
  on: 'connected',
  off: 'pending',
  starting: 'pending',
  failed: 'failed',
  closed: 'disabled',
  untrusted: 'disabled',
};
