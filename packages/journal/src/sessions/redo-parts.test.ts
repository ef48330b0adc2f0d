import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventsOf } from '../testing/conversation-events.ts';
import { makeFolder, runs } from '@attractor/base/testing';

import { openUndo, type Undo, type UndoOutcome } from '@attractor/undo';
import { openSessions } from './open-sessions.ts';
import { partsOfRedo } from './redo-parts.ts';
import type { Sessions, SessionsResult } from './contract.ts';

/** A session of some turns that changed a file, and what a person does to it. */
type World = { readonly sessions: Sessions; readonly id: string; readonly undo: Undo; readonly file: string };
type State = { readonly turns: number; readonly file: string };

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('both', 'conversation', 'files'), turn: fc.nat({ max: 8 }) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('redo') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('speak', 'work') }) },
);
type Step =
  | { readonly do: 'both' | 'conversation' | 'files'; readonly turn: number }
  | { readonly do: 'redo' | 'speak' | 'work' };

describe('redo', () => {
  it('puts back exactly what the last rewind took, whatever was rewound, redone and said before', async () => {
    const steps: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 4, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => void (await live(await makeWorld(), all))),
      { numRuns: runs(6, 300) },
    );
  });

  it('after both and then only the conversation were rewound takes the files along the second time', async () => {
    const left = await live(await makeWorld(), [
      { do: 'both', turn: 4 },
      { do: 'conversation', turn: 1 },
      { do: 'redo' },
      { do: 'redo' },
      { do: 'files', turn: 1 },
      { do: 'conversation', turn: 2 },
      { do: 'redo' },
      { do: 'redo' },
      { do: 'redo' },
    ]);
    expect(left).toEqual([]);
  });

  it('that failed for the files is taken back, and is still there to be done', async () => {
    const world = await makeWorld();
    const { sessions, id } = world;
    const all = await live(
      world,
      [
        { do: 'conversation', turn: 4 },
        { do: 'conversation', turn: 1 },
      ],
      'open',
    );
    value(sessions.rewind(id, { redo: true }));
    value(sessions.rewind(id, { takeBack: true }));
    expect(stateOf(world).turns).toBe(1);
    for (const { turns } of all.toReversed()) {
      value(sessions.rewind(id, { redo: true }));
      expect(stateOf(world).turns).toBe(turns);
    }
    expect(sessions.rewind(id, { redo: true })).toMatchObject({ ok: false, error: { code: 'invalid' } });
    await world.undo.close();
  });
});

async function makeWorld(): Promise<World> {
  const sessions = openSessions({ home: makeFolder() });
  const workspace = makeFolder();
  const file = path.join(workspace, 'note');
  const { undo } = value(await openUndo({ workspace, statePath: makeFolder() }));
  const { id, journal } = value(sessions.create({ cwd: workspace }));
  for (const event of eventsOf(
    id,
    [1, 2, 3].map((text) => ({ text: `${text}`, rounds: [[8]] })),
  )) {
    journal.append(event);
    if (event.kind !== 'TOOL_CALL_END') continue;
    writeFileSync(file, `${event.seq}`);
    value(await undo.snapshot({ turn: event.seq, seq: event.seq }));
  }
  journal.close();
  return { sessions, id, undo, file };
}

/** Gives the states that redo can still go back to. */
async function live(world: World, steps: ReadonlyArray<Step>, end?: 'open'): Promise<ReadonlyArray<State>> {
  let ways: ReadonlyArray<State> = [];
  for (const one of steps) {
    const before = stateOf(world);
    if (one.do === 'speak' || one.do === 'work') {
      await speak(world, one.do);
      ways = [];
    } else if ('turn' in one) {
      if (await rewind(world, one)) ways = [...ways, before];
    } else {
      const done = await redo(world);
      expect(done).toBe(ways.length > 0);
      expect(stateOf(world)).toEqual(ways.at(-1) ?? before);
      ways = ways.slice(0, -1);
    }
  }
  if (end === undefined) await world.undo.close();
  return ways;
}

function stateOf({ sessions, id, file }: World): State {
  return { turns: [...sessions.turns(id)].length, file: readFileSync(file, 'utf8') };
}

/** As the command does it. False when there was nothing to take back. */
async function rewind({ sessions, id, undo }: World, one: Extract<Step, { readonly turn: number }>): Promise<boolean> {
  const { lastSeq, turns } = value(sessions.find(id));
  const turn = one.turn % (turns + 1);
  const entries = [...sessions.turns(id)];
  const target = { seq: turn === 0 ? (entries[0]?.seq ?? 1) - 1 : (entries[turn - 1]?.endSeq ?? 0) };
  const said = one.do === 'files' ? null : value(sessions.rewind(id, { turn }));
  const isSaid = said !== null && said.seq > lastSeq;
  if (one.do === 'conversation') return isSaid;
  const outcome = await undo.preview(target);
  if (!outcome.ok) return isSaid;
  value(await undo.rewind(target, { seq: isSaid ? said.seq : value(sessions.rewind(id, { files: true })).seq }));
  return true;
}

async function redo({ sessions, id, undo }: World): Promise<boolean> {
  const parts = value(partsOfRedo(sessions, id, undo));
  if (parts.conversation && !sessions.rewind(id, { redo: true }).ok) return false;
  if (parts.files) value(await undo.redo({ seq: value(sessions.find(id)).lastSeq }));
  return true;
}

async function speak({ sessions, id, undo, file }: World, what: 'speak' | 'work'): Promise<void> {
  const { lastSeq } = value(sessions.find(id));
  const { journal } = value(sessions.open(id));
  const said = eventsOf(id, [{ text: 'more', rounds: [] }]).slice(2);
  for (const [index, event] of said.entries()) journal.append({ ...event, seq: lastSeq + 1 + index });
  journal.close();
  if (what === 'speak') return;
  writeFileSync(file, `${lastSeq + 2}`);
  value(await undo.snapshot({ turn: lastSeq, seq: lastSeq + 2 }));
}

function value<T>(outcome: SessionsResult<T> | UndoOutcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(outcome.error.message);
}
