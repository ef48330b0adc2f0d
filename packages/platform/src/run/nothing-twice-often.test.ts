import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createDice, runs, soakProgress, soakSeed } from '@attractor/base/testing';
import { makeFolder } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import { endCrowd, loseOne, openCrowd } from '../test-support/counting-crowd.ts';
import { addProject, openCountingWorld, startModel } from '../test-support/counting-world.ts';

const LOSSES = runs(20, 200);
const CALLS = 8;
const SEED = soakSeed(2020);

it(`workers that are killed ${LOSSES} times and frozen as often, at any moment: each call is begun at most once, in the same home, in others and on other machines`, async () => {
  const world = await openCountingWorld();
  const { store } = world;
  const outside = makeFolder();
  const script = [`echo "$2 $1" >> '${outside}/count'; echo $1 >> counted.txt; sleep 0.05`];
  const here = await addProject(world, script);
  const elsewhere = await addProject(world, script);
  // Nobody finds its first clone: each home is a machine of its own.
  renameSync(elsewhere.clone, `${elsewhere.clone}-lost`);
  const simulator = await startModel(CALLS);
  const crowd = openCrowd({ world, simulator, projects: [here, elsewhere], dice: createDice(SEED) });
  const told = soakProgress({ what: 'workers lost', seed: SEED, count: 2 * LOSSES });
  for (let lost = 0; lost < 2 * LOSSES;) {
    if (await loseOne(crowd, lost % 2 === 0 ? 'killed' : 'frozen')) lost += 1;
    told(lost);
  }
  await endCrowd(crowd);
  const ended = await store.read.selectFrom('runs').select(['status', 'outcome', 'error']).execute();
  expect(ended.filter(({ status }) => status !== 'completed')).toEqual([]);
  expect(ended).toHaveLength(crowd.tasks);
  const lines = readFileSync(join(outside, 'count'), 'utf8').trimEnd().split('\n');
  const twice = [...Map.groupBy(lines, (line) => line)].filter(([, same]) => same.length > 1).map(([line]) => line);
  expect(twice, `SOAK_SEED=${SEED}`).toEqual([]);
  // A call that was lost between its record and its first word is told to the model as interrupted.
  expect(lines.length).toBeGreaterThanOrEqual(crowd.tasks * CALLS - crowd.callsLost);
  expect(await store.read.selectFrom('run_files').select('run_id').execute()).toEqual([]);
});
