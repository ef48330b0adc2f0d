import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '@attractor/journal';
import { anyConversation, eventsOf, toRecord } from '@attractor/journal/testing';

import { runs } from '@attractor/base/testing';
import type { Turn } from '../types/index.ts';
import { owedEvents, replay } from './replay.ts';
import { advance, isToolCall, openCalls, type SessionView } from '../conversation/view.ts';

const recordsOf = (...args: Parameters<typeof eventsOf>): ReadonlyArray<JournalRecord> =>
  eventsOf(...args).map(toRecord);

/** What providers refuse: a call without its result right behind it, a result without its call, a reply to nothing. */
const faultsOf = (turns: ReadonlyArray<Turn>): ReadonlyArray<string> =>
  turns.flatMap((turn, index) => {
    const before = turns[index - 1];
    const next = turns[index + 1];
    const calls = turn.kind === 'assistant' ? turn.content.filter(isToolCall).map(({ toolCallId }) => toolCallId) : [];
    const results = next?.kind === 'tool_results' ? next.results.map(({ toolCallId }) => toolCallId) : [];
    return [
      ...(turn.kind === 'assistant' && (before === undefined || before.kind === 'assistant')
        ? ['answers nothing']
        : []),
      ...(JSON.stringify(calls) === JSON.stringify(results)
        ? []
        : [`turn ${index}: ${calls.join()} is answered by ${results.join()}`]),
    ];
  });

/** As `resumeSession` does before it goes on: calls that had begun are answered. */
const settle = (view: SessionView): ReadonlyArray<Turn> => {
  const owed = owedEvents(view, { sessionId: 'ses', hasJournals: false }).reduce(
    (now, event) => advance(now, event, {}),
    view,
  );
  const open = openCalls(owed);
  const last = open.reduce(
    (now, { toolCallId, toolName }) =>
      advance(now, { kind: 'TOOL_CALL_END', toolCallId, toolName, output: 'ran', isError: false }, {}),
    owed,
  );
  return last.turns;
};

describe('a journal that lost records', () => {
  it('whichever they are, still gives a history that providers accept', () => {
    const losses = fc.array(fc.nat({ max: 60 }), { maxLength: 6 });
    fc.assert(
      fc.property(anyConversation, losses, (conversation, lost) => {
        const records = recordsOf('ses', conversation).filter((_, index) => !lost.includes(index));
        expect(faultsOf(settle(replay(records, {}).view))).toEqual([]);
      }),
      { numRuns: runs(100, 20_000) },
    );
  });

  it('and whichever two of a short one they are', () => {
    const records = recordsOf('ses', [
      { text: 'first', rounds: [[5, 5], [5]] },
      { text: 'second', rounds: [[5]], steering: 'gently' },
    ]);
    for (const one of records.keys())
      for (const other of records.keys()) {
        const left = records.filter((_, index) => index !== one && index !== other);
        expect({ one, other, faults: faultsOf(settle(replay(left, {}).view)) }).toEqual({ one, other, faults: [] });
      }
  });

  it('and one that lost none, is folded as a live session folds it, however long it is', () => {
    const input = { text: 'again', rounds: [[5, 5], [300]], steering: 'gently' };
    const records = recordsOf(
      'ses',
      Array.from({ length: 400 }, () => input),
    );
    const events = eventsOf(
      'ses',
      Array.from({ length: 400 }, () => input),
    );
    const { view } = replay(records, {});
    const { view: short } = replay(records.slice(0, 200), {});
    expect(view.turns).toHaveLength(2_800);
    expect(view.turns.slice(0, short.turns.length)).toEqual(short.turns);
    const last = events
      .slice(-14)
      .reduce((now, event) => advance(now, event, {}), replay(records.slice(0, -14), {}).view);
    expect(last).toEqual(view);
  });
});
