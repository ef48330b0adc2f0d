import { makeFolder } from '@attractor/base/testing';
import { describe, expect, it } from 'vitest';
import { modelFor } from '@attractor/llm';
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

describe('a cloud', () => {
  const settings = { provider: 'openai', model: 'of-the-file', providers: { bedrock: { region: 'eu-west-1' } } };
  const env = { CLAUDE_CODE_USE_BEDROCK: '1', AWS_REGION: 'us-east-1', ANTHROPIC_MODEL: 'us.anthropic.claude-x' };

  it('that the environment chooses wins over the file, and so do its region and its model; flags win over all', () => {
    const llm = modelConfiguration({ env, settings, flags: {} });
    expect([llm.defaultProvider, llm.providers?.['bedrock']?.region]).toEqual(['bedrock', 'us-east-1']);
    expect(modelFor('bedrock', { flags: {}, llm, settings })).toBe('us.anthropic.claude-x');
    expect(modelFor('bedrock', { flags: { model: 'mine' }, llm, settings })).toBe('mine');
    expect(modelFor('openai', { flags: {}, llm, settings })).toBe('of-the-file');
    expect(modelConfiguration({ env, settings, flags: { provider: 'gemini' } }).defaultProvider).toBe('gemini');
  });

  it('that a flag names has what the environment says of it', () => {
    const llm = modelConfiguration({ env: { AWS_REGION: 'r' }, settings: {}, flags: { provider: 'bedrock' } });
    expect(llm.providers).toEqual({ bedrock: { region: 'r' } });
  });
});
