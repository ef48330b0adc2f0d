import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { row } from './goals.ts';
import { startLineServer } from './line-server.ts';
import { THE_END } from './lines.ts';
import { ATTRACTOR, ENV, flagsFor, newFolder } from './place.ts';
import { openPty } from './pty.ts';

const LINES = 8_000;
const ROUNDS = 3;
const HELD = join(import.meta.dirname, 'held.mjs');

/** For how long a terminal that takes 30 KB in a second holds up the process. The best of some rounds: others may hold it up as well. */
export async function measureSlowTerminal(): Promise<void> {
  const model = await startLineServer({ lines: LINES, kind: 'plain', perSecond: 2_000 });
  const times: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) times.push(await heldAtMost(model.baseUrl));
  } finally {
    model.stop();
  }
  const best = Math.min(...times);
  row('loop held by a terminal of 30 KB a second', `${times.map((time) => time.toFixed(0)).join(', ')} ms`, [
    [best, 30],
  ]);
}

async function heldAtMost(baseUrl: string): Promise<number> {
  const cwd = await newFolder();
  const file = join(cwd, 'held');
  const env = { ...ENV, HELD_FILE: file };
  const argv = [process.execPath, '--import', HELD, ATTRACTOR, ...flagsFor(baseUrl)];
  const pty = openPty({ argv, cwd, env, bytesPerSecond: 30_000 });
  const held = async (): Promise<number> => {
    rmSync(file, { force: true });
    pty.signal('SIGUSR2');
    while (!existsSync(file) || !readFileSync(file, 'utf8').endsWith('\n')) await delay(20);
    return Number(readFileSync(file, 'utf8'));
  };
  try {
    await pty.saw('/ commands');
    pty.type('begin\r');
    await pty.saw('000001');
    await held();
    await pty.saw(THE_END);
    return await held();
  } finally {
    await pty.end();
  }
}
