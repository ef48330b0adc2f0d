import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConversation, eventsOf, type MadeConversation, readRecords } from '@attractor/journal/testing';
import { replay } from './replay.ts';
import { journalsBeside, openSessions, type Sessions, type SessionsResult } from '@attractor/journal';

import { makeFolder, runs } from '@attractor/base/testing';

import type { DeliveredEvent, Turn } from '../types/index.ts';

const value = <Value>(result: SessionsResult<Value>): Value => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

const store = (sessions: Sessions, conversation: MadeConversation): string => {
  const { id, journal } = value(sessions.create({ cwd: '/work', provider: 'anthropic' }));
  for (const event of eventsOf(id, conversation)) journal.append(event);
  journal.close();
  return id;
};

/** Subagents of a session: which of them (or the session, -1) started each, how far along, and what it said. */
const anyFamily = fc.array(
  fc.record({ parent: fc.integer({ min: -1, max: 2 }), place: fc.nat(), said: anyConversation }),
  { maxLength: 3 },
);
type Family = typeof anyFamily extends fc.Arbitrary<infer Value> ? Value : never;

const storeFamily = (sessions: Sessions, home: string, made: { said: MadeConversation; family: Family }): string => {
  const { id, journal } = value(sessions.create({ cwd: '/work', provider: 'anthropic' }));
  const names = made.family.map((_, index) => `${id}-child-${index}`);
  const withStarts = (own: number, events: ReadonlyArray<DeliveredEvent>): ReadonlyArray<DeliveredEvent> => {
    const all = [...events];
    for (const [index, { parent, place }] of made.family.entries()) {
      const starter = parent < index ? parent : -1;
      const start = { kind: 'SUBAGENT_START', subagentId: `sub_${index}`, childSessionId: names[index] ?? '' } as const;
      const event = { ...start, instruction: 'Go.', seq: 0, at: '2026-01-01T00:00:00.000Z', sessionId: id };
      if (starter === own) all.splice(1 + (place % all.length), 0, event);
    }
    return all.map((event, index) => ({ ...event, seq: index + 1 }));
  };
  for (const event of withStarts(-1, eventsOf(id, made.said))) journal.append(event);
  journal.close();
  for (const [index, { said }] of made.family.entries()) {
    const child = journalsBeside(fileOf(home, id))(names[index] ?? '');
    for (const event of withStarts(index, eventsOf(names[index] ?? '', said))) child.append(event);
    child.close();
  }
  return id;
};

/** Every file of a session but its leases and its cache. */
const filesOf = (home: string, id: string): ReadonlyMap<string, Buffer> => {
  const folder = path.join(home, 'sessions', id);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(^|\/)[\w-]+(\.jsonl)?$/.test(name) && statSync(path.join(folder, name)).isFile(),
  );
  return new Map(names.toSorted().map((name) => [name, readFileSync(path.join(folder, name))]));
};

const subagentsOf = (files: ReadonlyMap<string, Buffer>): ReadonlyArray<string> =>
  [...files.keys()].flatMap((name) => /subagents\/(.+)\.jsonl$/.exec(name)?.[1] ?? []);

const fileOf = (home: string, id: string): string => path.join(home, 'sessions', id, 'journal.jsonl');
const viewOf = (home: string, id: string) => replay(readRecords(fileOf(home, id)), {}).view;
const historyOf = (home: string, id: string): ReadonlyArray<Turn> => viewOf(home, id).turns;

/** How many turns are kept when `turn` is asked for: a reply keeps the results of its calls. */
const keptAt = (history: ReadonlyArray<Turn>, turn: number): number =>
  history[turn]?.kind === 'tool_results' ? turn + 1 : turn;

const settings = { numRuns: runs(12, 2_000) };
const anyTurn = fc.nat({ max: 40 });

describe('round trips of any conversation', () => {
  it('turns are numbered as in the history', () => {
    const home = makeFolder();
    const sessions = openSessions({ home });
    fc.assert(
      fc.property(anyConversation, (conversation) => {
        const id = store(sessions, conversation);
        const history = historyOf(home, id);
        const turns = [...sessions.turns(id)];
        expect(turns.map(({ kind }) => kind)).toEqual(history.map(({ kind }) => kind));
        expect(turns.map(({ turn }) => turn)).toEqual(history.map((_, index) => index + 1));
        expect(value(sessions.find(id)).turns).toBe(history.length);
      }),
      settings,
    );
  });

  it('a fork at any turn has the history up to there, idle, under its own id, and leaves the other untouched', () => {
    const home = makeFolder();
    const sessions = openSessions({ home });
    fc.assert(
      fc.property(anyConversation, anyTurn, (conversation, wanted) => {
        const id = store(sessions, conversation);
        const before = readFileSync(fileOf(home, id));
        const history = historyOf(home, id);
        const turn = wanted % (history.length + 1);
        const forked = value(sessions.fork(id, { turn }));
        const view = viewOf(home, forked.id);
        const kept = keptAt(history, turn);
        expect(view.turns).toEqual(history.slice(0, kept));
        expect(forked.turn).toBe(kept);
        expect(view).toMatchObject({
          sessionId: forked.id,
          inputOpen: false,
          round: null,
          systemPrompt: 'You are kind.',
        });
        expect(value(sessions.find(forked.id))).toMatchObject({
          turns: kept,
          forkedFrom: { sessionId: id },
          cwd: '/work',
        });
        expect(readFileSync(fileOf(home, id))).toEqual(before);
        sessions.delete(id, { forever: true });
        expect(historyOf(home, forked.id)).toEqual(history.slice(0, kept));
      }),
      settings,
    );
  });

  it('a rewind to any turn and its redo, again and again, give exactly what was there', () => {
    const home = makeFolder();
    const sessions = openSessions({ home });
    fc.assert(
      fc.property(anyConversation, fc.array(anyTurn, { minLength: 1, maxLength: 4 }), (conversation, wishes) => {
        const id = store(sessions, conversation);
        const stages = [historyOf(home, id)];
        for (const wish of wishes) {
          const now = stages.at(-1) ?? [];
          const turn = wish % (now.length + 1);
          const kept = keptAt(now, turn);
          expect(value(sessions.rewind(id, { turn }))).toMatchObject({ turn: kept, turnsBefore: now.length });
          if (kept < now.length) stages.push(now.slice(0, kept));
          expect(viewOf(home, id)).toMatchObject({ turns: now.slice(0, kept), inputOpen: false, round: null });
          expect(value(sessions.find(id)).turns).toBe(kept);
        }
        if (stages.length === 1) return;
        expect(value(sessions.rewind(id, { redo: true })).turn).toBe(stages.at(-2)?.length);
        expect(historyOf(home, id)).toEqual(stages.at(-2));
      }),
      settings,
    );
  });

  it('an export imported elsewhere is the same byte for byte, and beside the first the same but for its id', () => {
    const [home, other] = [makeFolder(), makeFolder()];
    const [here, there] = [openSessions({ home }), openSessions({ home: other })];
    fc.assert(
      fc.property(anyConversation, anyTurn, (conversation, wish) => {
        const id = store(here, conversation);
        here.rewind(id, { turn: wish % (historyOf(home, id).length + 1) });
        const lines = [...value(here.export(id))];
        expect(value(there.import(lines))).toEqual({ id });
        expect(readFileSync(fileOf(other, id))).toEqual(readFileSync(fileOf(home, id)));
        expect([...value(there.export(id))]).toEqual(lines);
        const copy = value(here.import(lines)).id;
        expect(copy).not.toBe(id);
        expect(viewOf(home, copy)).toEqual({ ...viewOf(home, id), sessionId: copy });
        there.delete(id, { forever: true });
      }),
      settings,
    );
  });

  it('subagents travel with their session, with their own and with all that they keep', () => {
    const [home, other] = [makeFolder(), makeFolder()];
    const [here, there] = [openSessions({ home }), openSessions({ home: other })];
    fc.assert(
      fc.property(anyConversation, anyFamily, anyTurn, (said, family, wish) => {
        const id = storeFamily(here, home, { said, family });
        const lines = [...value(here.export(id))];
        const original = filesOf(home, id);
        expect(subagentsOf(original)).toHaveLength(family.length);
        expect(value(there.import(lines))).toEqual({ id });
        expect(filesOf(other, id)).toEqual(original);
        expect([...value(there.export(id))]).toEqual(lines);
        there.delete(id, { forever: true });

        const fork = value(here.fork(id, { turn: wish % (historyOf(home, id).length + 1) })).id;
        const copied = filesOf(home, fork);
        const told = [...copied]
          .filter(([name]) => name.endsWith('.jsonl'))
          .flatMap(([, bytes]) =>
            [...bytes.toString().matchAll(/"childSessionId":"([^"]+)"/g)].map((found) => found[1]),
          );
        expect(subagentsOf(copied)).toEqual(told.toSorted());
        for (const name of subagentsOf(copied)) {
          const file = `journal.subagents/${name}.jsonl`;
          expect(copied.get(file)).toEqual(original.get(file));
        }
        for (const [name, bytes] of copied) if (name.includes('blobs/')) expect(bytes).toEqual(original.get(name));
        here.delete(id, { forever: true });
        here.delete(fork, { forever: true });
      }),
      { numRuns: runs(5, 1_000) },
    );
  });

  it('a damaged export is refused whole, and leaves nothing behind', () => {
    const [home, other] = [makeFolder(), makeFolder()];
    const [here, there] = [openSessions({ home }), openSessions({ home: other })];
    const said = [{ text: 'go', rounds: [[40_000, 300]] }];
    const family = [{ parent: -1, place: 3, said }];
    const lines = [...value(here.export(storeFamily(here, home, { said, family })))];
    const damage = fc.oneof(
      fc.record({ how: fc.constant('drop' as const), line: fc.nat() }),
      fc.record({ how: fc.constant('twice' as const), line: fc.nat() }),
      fc.record({ how: fc.constant('flip' as const), line: fc.nat(), at: fc.nat() }),
      fc.record({ how: fc.constant('cut' as const), line: fc.nat() }),
    );
    fc.assert(
      fc.property(damage, (what) => {
        const bad = [...lines];
        const place = what.line % lines.length;
        const text = lines[place] ?? '';
        if (what.how === 'drop') bad.splice(place, 1);
        if (what.how === 'twice') bad.splice(place, 0, text);
        if (what.how === 'cut') bad.splice(place);
        if (what.how === 'flip') {
          const at = what.at % (text.length - 1);
          bad[place] = `${text.slice(0, at)}${text[at] === '#' ? '%' : '#'}${text.slice(at + 1)}`;
        }
        const result = there.import(bad);
        const isHeadFlip = what.how === 'flip' && place === 0;
        if (!isHeadFlip) expect(result).toMatchObject({ ok: false, error: { code: 'invalid' } });
        if (!result.ok) expect(there.list()).toEqual([]);
        else there.delete(result.value.id, { forever: true });
      }),
      { numRuns: runs(40, 5_000) },
    );
  });
});
