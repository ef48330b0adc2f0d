import type { Mcp } from '@attractor/mcp';
import { readableText } from '../terminal/escape.ts';

/** Waits for the servers whose tools are not known yet. One that is not there is told, and the run goes on without it. */
export async function startServers(mcp: Mcp | null): Promise<void> {
  for (const { problem } of (await mcp?.ready()) ?? []) {
    if (problem !== null) process.stderr.write(`attractor: ${readableText(problem.message).replaceAll(/\s+/g, ' ')}\n`);
  }
}
