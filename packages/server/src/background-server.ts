import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerRecord } from './server-record.ts';

/** `problem`: the last line that the server said before it ended. */
type Started = { readonly url: string; readonly pid: number; readonly log: string } | { readonly problem: string };

const LOOK_MS = 100;
const PATIENCE_MS = 60_000;

type Starting = {
  readonly home: string;
  /** The program, and how it is told to serve. */
  readonly command: ReadonlyArray<string>;
  /** The server of this home, if one answers. */
  readonly find: () => Promise<ServerRecord | null>;
};

/** Starts a server for a home that outlives the process that starts it. If another server has started meanwhile, that one is returned. */
export async function startInBackground({ home, command, find }: Starting): Promise<Started> {
  mkdirSync(join(home, 'log'), { recursive: true, mode: 0o700 });
  const log = join(home, 'log', 'background-server.log');
  const written = openSync(log, 'w', 0o600);
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    cwd: home,
    detached: true,
    // Its first line holds a key that signs a browser in: `attractor sign-in` prints another.
    stdio: ['ignore', 'ignore', written],
  });
  closeSync(written);
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  const found = await Promise.race([answering(find), ended]);
  child.unref();
  const server = found ?? (await find());
  if (server === null) return { problem: lastLine(log) };
  return { url: server.url, pid: server.pid, log };
}

async function answering(find: Starting['find']): Promise<ServerRecord | null> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const server = await find();
    if (server !== null) return server;
    await sleep(LOOK_MS);
  }
  return null;
}

function lastLine(log: string): string {
  return readFileSync(log, 'utf8').trim().split('\n').at(-1) || 'it said nothing';
}
