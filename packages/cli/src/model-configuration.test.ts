import { makeFolder } from '@attractor/base/testing';
import { describe, expect, it } from 'vitest';
import { modelConfiguration } from './model-configuration.ts';

describe('a helper for keys', () => {
  const helped = (files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) => {
    const settings = { providers: { openai: { apiKeyHelper: 'echo "key of $WHO"' } } };
    return (
      modelConfiguration({ env: { HOME: makeFolder(files), WHO: 'me', ...env }, settings, flags: {} }).providers ?? {}
    );
  };
  const claude = (apiKeyHelper: string) => ({ '.claude/settings.json': JSON.stringify({ apiKeyHelper }) });

  it('of config.json, and of Claude Code where nothing else gives a key, prints the key', async () => {
    expect(await helped({})['openai']?.refreshCredential?.()).toBe('key of me');
    expect(await helped(claude('echo theirs'))['anthropic']?.refreshCredential?.()).toBe('theirs');
    expect(helped(claude('echo theirs'), { ANTHROPIC_API_KEY: 'set' })['anthropic']).toEqual({ apiKey: 'set' });
    expect(helped({})['anthropic']).toBeUndefined();
  });

  it.each([
    ['no-such-helper', /The key helper "no-such-helper" gave no key: .*not found/],
    ['exit 3', /gave no key: it ended with code 3/],
    ['true', /gave no key: it ended with code 0/],
  ])('that fails is told in one line: %s', async (command, message) => {
    await expect(helped(claude(command))['anthropic']?.refreshCredential?.()).rejects.toThrow(message);
  });
});
