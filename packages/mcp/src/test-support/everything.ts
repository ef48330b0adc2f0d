import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { McpServerDefinition } from '../definition.ts';

const PROGRAM = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

/** The reference server from npm, on either transport. */
export async function everythingServer(kind: 'stdio' | 'http'): Promise<McpServerDefinition> {
  if (kind === 'stdio') return stdioServer('everything', [PROGRAM, 'stdio']);
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAM, 'streamableHttp'], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the server ended')));
    child.stderr.on('data', (text: Buffer) => void (text.toString().includes('listening') && resolve()));
  });
  return httpServer('everything', `http://127.0.0.1:${port}/mcp`);
}

/** A program on this Node. */
export function stdioServer(name: string, args: ReadonlyArray<string>): McpServerDefinition {
  return { name, scope: 'flag', transport: { kind: 'stdio', command: process.execPath, args, env: {} } };
}

function httpServer(name: string, url: string): McpServerDefinition {
  return { name, scope: 'flag', transport: { kind: 'http', url, headers: {} } };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
