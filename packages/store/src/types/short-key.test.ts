import { describe, expect, it } from 'vitest';
import { freeProjectKey, isProjectKey, readKey } from './short-key.ts';

describe('a short key', () => {
  it('is read whatever the case of its letters, and nothing else is taken for one', () => {
    expect(readKey('ATT-12')).toEqual({ kind: 'tsk', prefix: 'ATT', task: 12, part: 0 });
    expect(readKey('att-12.3')).toEqual({ kind: 'run', prefix: 'ATT', task: 12, part: 3 });
    expect(readKey('Att-12.q2')).toEqual({ kind: 'prm', prefix: 'ATT', task: 12, part: 2 });
    for (const other of ['ATT', 'ATT-0', 'ATT-01', 'ATT-12.', 'ATT-12.r2', '1A-2', 'A-2', 'tsk_0abc', 'my-app-2', ''])
      expect(readKey(other), other).toBeNull();
  });

  it('begins with what reminds of the project, and with what no other project has', () => {
    const made = ['attractor', 'my-web-app', 'Attractor', 'attrition', 'attractor', '東京', '2048', 'x', '3d print'];
    const taken = new Set<string>();
    const keys = made.map((name) => {
      const key = freeProjectKey(name, (one) => taken.has(one));
      taken.add(key);
      return key;
    });
    expect(keys).toEqual(['ATT', 'MWA', 'ATTR', 'ATTRI', 'ATTRA', 'PRJ', 'PRJ2', 'PRJ3', 'DP']);
    for (let count = 0; count < 50; count += 1) taken.add(freeProjectKey('attractor', (one) => taken.has(one)));
    expect(taken.size).toBe(keys.length + 50);
    expect([...taken].filter((key) => !isProjectKey(key))).toEqual([]);
  });
});
