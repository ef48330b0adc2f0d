import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startSimulator, type Simulator } from '@attractor/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { type JournalRecord, openSessions, readJournal } from '@attractor/journal';

import { bundledProgram, makeFolder, runs } from '@attractor/base/testing';

const PROGRAM = new URL('../test-support/random-kill-child.ts', import.meta.url).pathname;
const STEPS = 12;
const KILLS = runs(8, 1_000);
const LANES = 2;

/** A model on the real wire that refuses what the service refuses; each step is an effect that can be counted. */
const startModel = async (): Promise<Simulator> => {
  const steps = Array.from({ length: STEPS }, (_, step) => ({
    text: `Step ${step}.`,
    toolCalls: [{ use: 'shell' as const, command: `echo step-${step} >> effects` }],
  }));
  const simulator = await startSimulator({ script: { turns: [...steps, { text: 'All done.', repeat: 'forever' }] } });
  onTestFinished(() => simulator.close());
  return simulator;
};

type Lane = { readonly home: string; readonly cwd: string; readonly url: string };

/** Runs the program until it ends, or kills it some time after its first word; gives what it said and how it ended. */
const run = async (lane: Lane, killAfterMs: number | null) => {
  const child = spawn(process.execPath, [bundledProgram(PROGRAM), lane.home, lane.cwd, lane.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  const spoke = new Promise<void>((resolve) =>
    child.stdout.on('data', (text) => {
      said += String(text);
      resolve();
    }),
  );
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  if (killAfterMs !== null) {
    await Promise.race([spoke, ended]);
    await Promise.race([wait(killAfterMs), ended]);
    child.kill('SIGKILL');
  }
  const code = await ended;
  const lines = said
    .slice(0, said.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '');
  return { code, acknowledged: lines };
};

const recordsOf = ({ home, cwd }: Lane): ReadonlyArray<JournalRecord> => {
  const folder = openSessions({ home }).latest(cwd)?.folder;
  const content = readJournal(path.join(folder ?? '', 'journal.jsonl'));
  expect(content.damaged.length).toBeLessThanOrEqual(1);
  return content.records;
};

/** Every effect happened at most once, and exactly once where the model was told how it went. */
const checkEffects = (lane: Lane): void => {
  const effects = readFileSync(path.join(lane.cwd, 'effects'), 'utf8').trim().split('\n');
  expect(new Set(effects).size).toBe(effects.length);
  const calls = new Map<unknown, string>();
  for (const { event } of recordsOf(lane)) {
    const { args } = event;
    if (event.kind === 'TOOL_CALL_START')
      calls.set(event['toolCallId'], /step-\d+/.exec(JSON.stringify(args))?.[0] ?? '');
    const known = event.kind === 'TOOL_CALL_END' && !String(event['output']).startsWith('interrupted');
    if (known) expect(effects).toContain(calls.get(event['toolCallId']));
  }
};

/** One session after the other, each killed at random moments until it is done. */
const workLane = async (
  begin: () => Lane,
  kills: number,
): Promise<{ readonly sessions: number; readonly resumed: number }> => {
  let left = kills;
  let sessions = 0;
  let resumed = 0;
  while (left > 0) {
    const lane = begin();
    sessions++;
    for (let done = false; !done;) {
      const { code, acknowledged } = await run(lane, left > 0 ? Math.random() * 250 : null);
      if (code === null) left--;
      const stored = new Set(recordsOf(lane).map(({ seq, event }) => `${seq} ${event.kind}`));
      expect(acknowledged.filter((line) => !stored.has(line))).toEqual([]);
      if (acknowledged.some((line) => line.endsWith('SESSION_RESUMED'))) resumed++;
      expect(code === null || code === 0).toBe(true);
      done = code === 0;
    }
    expect(existsSync(path.join(lane.cwd, 'effects'))).toBe(true);
    checkEffects(lane);
  }
  return { sessions, resumed };
};

it(`${KILLS} SIGKILLs at random moments lose nothing that was acknowledged, double no effect, and every session is resumed to its end`, async () => {
  const simulator = await startModel();
  const begin = (): Lane => ({ home: makeFolder(), cwd: makeFolder(), url: simulator.baseUrls.anthropic });
  expect((await run(begin(), null)).code).toBe(0);
  const lanes = await Promise.all(Array.from({ length: LANES }, () => workLane(begin, KILLS / LANES)));
  expect(simulator.failures()).toEqual([]);
  expect(simulator.requests().filter(({ status }) => status >= 400)).toEqual([]);
  expect(lanes.every(({ resumed }) => resumed > 0)).toBe(true);
});
