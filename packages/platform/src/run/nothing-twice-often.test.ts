import { once } from 'node:events';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDice, runs, soakProgress, soakSeed } from '@attractor/base/testing';
import { makeFolder } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import {
  type CountingWorld,
  endWorker,
  expireLeases,
  openCountingWorld,
  startCounting,
  startWorker,
  untilTrue,
} from '../test-support/counting-world.ts';

const LOSSES = runs(20, 200);
/** A run is given up after five claims in a row that came to nothing. */
const IN_A_RUN = 4;
const CALLS = 8;
const LONGEST_MS = 150;
const SEED = soakSeed(2020);

type Lost = { readonly world: CountingWorld; readonly counts: Map<string, number>; seen: number };

/** Waits until an agent has begun another call, in a run that may lose one more worker; false if all runs are over. */
async function untilNextCall({
  world: { store },
  counts,
  ...lost
}: Lost): Promise<{ run: string; seq: number } | null> {
  for (;;) {
    const row = await store.read
      .selectFrom('events')
      .select(['seq', 'run_id'])
      .where('type', '=', 'agent.tool_use')
      .where('seq', '>', lost.seen)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    const run = row?.run_id ?? '';
    if (row !== undefined && (counts.get(run) ?? 0) < IN_A_RUN) return { run, seq: row.seq };
    const open = await store.read.selectFrom('jobs').select('id').where('state', '!=', 'done').limit(1).execute();
    if (open.length === 0) return null;
    await sleep(10);
  }
}

it.each(['killed', 'frozen'] as const)(
  `a worker that is ${LOSSES} times %s at any moment: each call is begun at most once, in the same home, in others and on other machines`,
  async (loss) => {
    const world = await openCountingWorld();
    const outside = makeFolder();
    const script = [`echo "$2 $1" >> '${outside}/count'; echo $1 >> counted.txt; sleep 0.05`];
    const tasks = Math.ceil(LOSSES / IN_A_RUN) + 1;
    const { simulator, clone } = await startCounting(world, { script, calls: CALLS, tasks });
    const dice = createDice(SEED);
    const told = soakProgress({ what: `workers ${loss}`, seed: SEED, count: LOSSES });
    const lost: Lost = { world, counts: new Map(), seen: 0 };
    let home = makeFolder();
    let worker = startWorker(world, home, simulator);
    let losses = 0;
    for (; losses < LOSSES; losses += 1) {
      told(losses);
      const call = await untilNextCall(lost);
      if (call === null) break;
      lost.counts.set(call.run, (lost.counts.get(call.run) ?? 0) + 1);
      await sleep(LONGEST_MS * dice());
      const before = worker;
      before.kill(loss === 'killed' ? 'SIGKILL' : 'SIGSTOP');
      if (loss === 'killed') await once(before, 'exit');
      await expireLeases(world);
      // From then on nobody finds the first clone: each new home is another machine.
      if (losses === Math.floor(LOSSES / 2)) renameSync(clone, `${clone}-lost`);
      if (dice() < 0.5) home = makeFolder();
      lost.seen = call.seq;
      worker = startWorker(world, home, simulator);
      if (loss === 'frozen') {
        await sleep(LONGEST_MS * dice());
        before.kill('SIGCONT');
        await endWorker(before);
      }
    }
    const { store } = world;
    await untilTrue(async () => {
      const open = await store.read.selectFrom('jobs').select('id').where('state', '!=', 'done').execute();
      return open.length === 0;
    });
    await endWorker(worker);
    expect(losses, `SOAK_SEED=${SEED}`).toBe(LOSSES);
    const ended = await store.read.selectFrom('runs').select(['status', 'outcome', 'error']).execute();
    expect(ended.filter(({ status }) => status !== 'completed')).toEqual([]);
    expect(ended).toHaveLength(tasks);
    const lines = readFileSync(join(outside, 'count'), 'utf8').trimEnd().split('\n');
    const twice = [...Map.groupBy(lines, (line) => line)].filter(([, same]) => same.length > 1).map(([line]) => line);
    expect(twice, `SOAK_SEED=${SEED}`).toEqual([]);
    // A call that was lost between its record and its first word is told to the model as interrupted.
    expect(lines.length).toBeGreaterThan(tasks * CALLS - LOSSES - 1);
    expect(await store.read.selectFrom('run_files').select('run_id').execute()).toEqual([]);
  },
);
