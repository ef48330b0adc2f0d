import { describe, expect, it } from 'vitest';
import { resourceResultOf, toolResultOf } from './result.ts';

const image = (data: string) => ({ type: 'image' as const, data, mimeType: 'image/png' });

describe('what a model gets of an answer', () => {
  it('has at most twenty images, and none that is too large', () => {
    const many = toolResultOf({ content: Array.from({ length: 25 }, () => image('AAAA')) });
    expect(many.images).toHaveLength(20);
    const large = toolResultOf({ content: [image('A'.repeat((7 << 20) + 4)), image('AAAA')] });
    expect(large.images).toHaveLength(1);
    expect(large.output).toContain('too large to be shown');
    const blob = { uri: 'a://x', mimeType: 'image/png', blob: 'A'.repeat((7 << 20) + 4) };
    expect(resourceResultOf({ contents: [blob] }).images).toBeUndefined();
  });

  it('has no more text than its tokens, and says how much there was', () => {
    const { output } = toolResultOf({ content: [{ type: 'text', text: 'word '.repeat(1000) }] }, 100);
    expect(output.length).toBeLessThan(800);
    expect(output).toContain('about 1250 tokens; 100 of them are shown');
  });
});
