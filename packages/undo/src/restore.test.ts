import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { DEFAULT_BOUNDS } from './bounds.ts';
import { openLog } from './log.ts';
import { planRewind } from './plan.ts';
import { restore } from './restore.ts';
import { findRoots } from './roots.ts';
import { takeSnapshot, type UndoContext } from './snapshot.ts';
import { openStore } from './store.ts';
import { contents } from './test-support/workspace.ts';

/** Two snapshots of an agent's work and the plan to go back to the first: the moment right before files are touched. */
async function makeWorld() {
  const workspace = makeFolder({ saved: 'old', removed: 'old', untouched: 'old' });
  const state = makeFolder();
  const context: UndoContext = {
    store: openStore(state, await findRoots(workspace)),
    log: openLog(state),
    bounds: DEFAULT_BOUNDS,
    settled: false,
  };
  const at = (name: string): string => path.join(workspace, name);
  const take = (turn: number) => takeSnapshot(context, { by: 'agent', turn, label: '' });
  await take(0);
  for (const name of ['saved', 'untouched', 'made']) writeFileSync(at(name), 'agent');
  await take(1);
  const [target, before] = context.log.records();
  if (target === undefined || before === undefined) throw new Error('there are two snapshots');
  const plan = await planRewind(context, target);
  return { workspace, at, run: () => restore(context, { by: 'rewind', target, before, plan }) };
}

describe('between the plan of a rewind and its first step', () => {
  it('a file that a person saves or makes is left as that person left it, and told', async () => {
    const { workspace, at, run } = await makeWorld();
    writeFileSync(at('saved'), 'person, just now');
    writeFileSync(at('made'), 'person, just now');
    const { meanwhile, done } = await run();
    expect(contents(workspace)).toEqual({
      saved: '644 person, just now',
      made: '644 person, just now',
      untouched: '644 old',
      removed: '644 old',
    });
    expect(meanwhile.toSorted()).toEqual(['made', 'saved']);
    expect(done.map(({ path: name }) => name)).toEqual(['untouched']);
  });
});
