import { describe, expect, it } from 'vitest';
import { EMPTY_VIEW } from '../conversation/view.ts';
import type { Turn } from '../types/index.ts';
import { planCompaction } from './plan.ts';

const WINDOW = 30_000;

/** So long that it is about this share of a conversation that fills the window. */
const words = (share: number): string => 'word '.repeat((WINDOW * 4 * share) / 5);
const person = (share: number): Turn => ({ kind: 'user', content: words(share) });
const steering = (share: number): Turn => ({ kind: 'steering', content: words(share) });
const reply = (share: number): Turn => ({ kind: 'assistant', content: [{ kind: 'TEXT', text: words(share) }] });
const round = (share: number): ReadonlyArray<Turn> => [
  { kind: 'assistant', content: [{ kind: 'TOOL_CALL', toolCallId: 'c', toolName: 'read_file', args: {} }] },
  { kind: 'tool_results', results: [{ toolCallId: 'c', output: words(share), isError: false }] },
];

const keptOf = (...turns: ReadonlyArray<Turn>): number | undefined =>
  planCompaction({ view: { ...EMPTY_VIEW, turns }, window: WINDOW, trigger: 'overflow' })?.keptTurns;

describe('what a compaction keeps as it is', () => {
  it('is what waits for an answer, however long', () => {
    expect(keptOf(person(0.01), reply(0.3), person(0.6))).toBe(1);
    expect(keptOf(person(0.01), reply(0.3), person(0.3), steering(0.3))).toBe(2);
  });

  it('is the last round, whose results nobody has seen yet, unless it alone is half of all', () => {
    expect(keptOf(person(0.01), reply(0.6), ...round(0.3))).toBe(2);
    expect(keptOf(person(0.01), reply(0.3), ...round(0.6))).toBe(0);
  });

  it('is else what fits into a fifth, the latest first', () => {
    expect(keptOf(person(0.01), reply(0.5), person(0.1), reply(0.3))).toBe(0);
    expect(keptOf(person(0.01), reply(0.7), person(0.1), reply(0.05))).toBe(2);
  });

  it('is nothing to speak of while calls are open', () => {
    const open = { calls: [], started: [], results: [] };
    const view = { ...EMPTY_VIEW, turns: [person(0.01), reply(0.6)], round: open };
    expect(planCompaction({ view, window: WINDOW, trigger: 'overflow' })).toBeNull();
  });
});
