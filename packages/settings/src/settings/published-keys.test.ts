import { describe, expect, it } from 'vitest';
import { PUBLISHED_KEYS } from './test-support/published-keys.ts';
import { readSource } from './read-source.ts';
import type { Source } from './source.ts';

type Named = { readonly obeyed: boolean; readonly reason: string | null };

/** What becomes of one key. A value of the wrong kind is a problem that is told, so the key is read. */
function fateOf(form: Source['form'], text: string): Named {
  const origin = { scope: 'user', agent: 'attractor', file: '/f', line: null, name: null } as const;
  const { entries, problems, unmapped } = readSource({ form, text, origin });
  return { obeyed: entries.length > 0 || problems.length > 0, reason: unmapped[0]?.reason ?? null };
}

const nested = (key: string): string =>
  JSON.stringify(key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), 'x'));

describe('every published key is obeyed, or named with the reason why not', () => {
  it.each([
    ['claude', PUBLISHED_KEYS.claude, nested],
    ['gemini', PUBLISHED_KEYS.gemini, nested],
    ['opencode', PUBLISHED_KEYS.opencode, nested],
    ['codex', PUBLISHED_KEYS.codex, (key: string) => `${key} = "x"\n`],
  ] as const)('%s', (form, keys, write) => {
    const silent = keys.filter((key) => {
      const { obeyed, reason } = fateOf(form, write(key));
      return !obeyed && (reason === null || reason === 'not known here');
    });
    expect(silent).toEqual([]);
    expect(keys.length).toBeGreaterThan(20);
  });
});
