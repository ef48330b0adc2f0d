import { describe, expect, it } from 'vitest';
import type { Turn } from '../types/index.ts';
import { foldTurns } from './fold-turns.ts';

const said = (content: string): Turn => ({ kind: 'user', content });

describe('alongTurns', () => {
  const fold = () => {
    const looked: string[] = [];
    const texts = foldTurns<string[], string>({
      start: () => [],
      step: (state, turn, { index, context }) => {
        const text = turn.kind === 'user' ? turn.content : '';
        looked.push(text);
        state.push(`${index}${text}${context}`);
      },
    });
    return { texts, looked };
  };

  it('looks at each turn once while they grow', () => {
    const { texts, looked } = fold();
    const [a, b, c] = [said('a'), said('b'), said('c')];
    expect([...texts([a, b], '!')]).toEqual(['0a!', '1b!']);
    expect([...texts([a, b], '?')]).toEqual(['0a!', '1b!']);
    expect([...texts([a, b, c], '?')]).toEqual(['0a!', '1b!', '2c?']);
    expect(looked).toEqual(['a', 'b', 'c']);
    expect(texts([], '')).toEqual([]);
  });

  it('begins anew when turns went or changed', () => {
    const { texts } = fold();
    const [a, b, c] = [said('a'), said('b'), said('c')];
    texts([a, b, c], '');
    expect([...texts([a, b], '')]).toEqual(['0a', '1b']);
    expect([...texts([a, c], '')]).toEqual(['0a', '1c']);
  });
});
