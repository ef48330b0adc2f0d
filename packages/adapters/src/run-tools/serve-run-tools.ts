import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from '@attractor/base';
import { SOCKET_GIVEN } from '@attractor/confine';
import { parseLine, readLines } from '@attractor/rpc';
import { answerMcp } from './answer-mcp.ts';
import { bridgeText } from './bridge.ts';
import type { RunTools } from './run-tools.ts';

/**
 * The run's tools as an MCP server that an agent starts as a program of its own: the program only connects its pipes to a socket of this
 * process. The socket belongs to one run, and only who knows the run's token is heard on it.
 */
export type ServedTools = {
  readonly command: string;
  readonly args: ReadonlyArray<string>;
  readonly socket: string;
  readonly close: () => Promise<void>;
};

/** `sandboxed`: the agent finds the socket where a sandbox shows it. */
export async function serveRunTools(tools: RunTools, at: { readonly sandboxed: boolean }): Promise<ServedTools> {
  const { createServer } = process.getBuiltinModule('node:net');
  const folder = mkdtempSync(path.join(tmpdir(), 'attractor-run-'));
  const socket = path.join(folder, 'tools.sock');
  const token = randomBytes(24).toString('hex');
  const open = new Set<{ readonly destroy: () => void }>();
  const server = createServer((connection) => {
    open.add(connection);
    connection.on('close', () => open.delete(connection)).on('error', () => undefined);
    let isKnown = false;
    const lines = readLines((line) => {
      if (!isKnown) {
        isKnown = isSame(line.trim(), token);
        if (!isKnown) connection.destroy();
        return;
      }
      void answerMcp(tools, parseLine(line)).then((answer) => {
        if (answer !== null && connection.writable) connection.write(`${JSON.stringify(answer)}\n`);
      });
    });
    connection.on('data', lines.push);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, () => resolve()));
  server.unref();
  const close = once(async () => {
    for (const connection of open) connection.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    command: process.execPath,
    args: ['-e', bridgeText(), at.sandboxed ? SOCKET_GIVEN : socket, token],
    socket,
    close,
  };
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
