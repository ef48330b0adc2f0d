import { describe, it } from 'vitest';
import { ALL_DEATHS, type Death, SHORT_WAYS, WAYS } from '../test-support/crash-plan.ts';
import { dieInChild, expectGoesOn, makeCrashWorld } from '../test-support/crash-world.ts';
import { runs } from '@attractor/store/testing';
import { openedDatabase } from '../test-support/opened-database.ts';

type Story = { readonly words: string; readonly on: 'SQLite' | 'PostgreSQL'; readonly deaths: ReadonlyArray<Death> };

const isLong = runs(1) > 1;

/** One run that dies ten times, on each way. */
const CHAINS: ReadonlyArray<Story> = Object.entries(isLong ? WAYS : SHORT_WAYS).map(([words, deaths]) => ({
  words,
  on: 'SQLite',
  deaths,
}));

/** Every death alone, and with other processes on a shared server: the long form (SOAK=1). */
const ALONE: ReadonlyArray<Story> = (['SQLite', 'PostgreSQL'] as const).flatMap((on) =>
  ALL_DEATHS.map((death) => ({
    words: `${Object.values(death.strike).join(' ')} in ${death.step}`,
    on,
    deaths: [death],
  })),
);

const STORIES = isLong ? [...CHAINS, ...ALONE] : CHAINS;

const DATABASES: Readonly<Record<Story['on'], () => Promise<string | undefined>>> = {
  SQLite: async () => undefined,
  PostgreSQL: openedDatabase,
};

describe('a run whose worker is killed', () => {
  it.for(STORIES)('$words ($on) ends once, with its work intact and nothing done twice', async ({ on, deaths }) => {
    const world = await makeCrashWorld(await DATABASES[on]());
    for (const death of deaths) await dieInChild(world, death);
    await expectGoesOn(world);
  });
});
