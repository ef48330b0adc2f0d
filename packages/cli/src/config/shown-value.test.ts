import { expect, it } from 'vitest';
import { shownValue } from './shown-value.ts';

const ORIGIN = { scope: 'user', agent: 'attractor', file: null, line: null, name: null } as const;
const shown = (name: string, value: unknown, key: string | null = null): string =>
  JSON.stringify(shownValue({ name, key, value, origin: ORIGIN }));

it('a setting is shown without secrets: by the name of its field, as a header or variable, and by its form', () => {
  const plain = 'correct horse battery';
  const token = `ghp_${'A1b2C3d4'.repeat(4)}9xYz`;
  const hidden = [
    shown('providers', { openai: { apiKey: plain, baseUrl: 'https://x.test' } }),
    shown('providers', plain, 'openai.apiKey'),
    shown('mcpServers', { url: 'https://x.test', headers: { 'x-anything': plain } }, 'a'),
    shown('mcpServers', { command: 'x', env: { ANYTHING: plain }, environment: { B: plain } }, 'a'),
    shown('mcpServers', { command: 'x', args: ['--key', token] }, 'a'),
    shown('proxies.http', `http://ada:${plain.replaceAll(' ', '')}@proxy.test`),
    shown('tokens', [plain, plain]),
  ];
  for (const text of hidden) {
    expect(text).toContain('[redacted');
    for (const secret of [plain, plain.replaceAll(' ', ''), token]) expect(text).not.toContain(secret);
  }
  expect(shown('providers', { openai: { baseUrl: 'https://x.test' } })).toBe('{"openai":{"baseUrl":"https://x.test"}}');
});
