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

describe('the key of a line for codex', () => {
  it.each([
    ['is that of codex where no other is set', { CODEX_API_KEY: 'c' }, 'openai', 'c'],
    ['is that of the service where it is set', { CODEX_API_KEY: 'c', OPENAI_API_KEY: 'o' }, 'openai', 'o'],
    ['is none of other lines', { CODEX_API_KEY: 'c' }, undefined, undefined],
  ])('%s', (_what, env, usualProvider, key) => {
    const llm = modelConfiguration({ env, settings: {}, flags: usualProvider === undefined ? {} : { usualProvider } });
    expect(llm.providers?.['openai']?.apiKey).toBe(key);
  });
});

describe('the provider and its model', () => {
  const openai = { OPENAI_API_KEY: 'k' };
  const both = { ANTHROPIC_API_KEY: 'k', ...openai, OPENAI_BASE_URL: 'http://here' };
  const gateway = { provider: 'openrouter', providers: { openrouter: { apiKey: 'k' } } };
  const claude = { written: [{ model: 'opus', maker: 'anthropic' }], variables: {} };
  const chosen = (env: Readonly<Record<string, string>>, settings: object, flags: object) => {
    const wish = { env: { HOME: makeFolder(), ...env }, settings, flags };
    const llm = modelConfiguration(wish);
    const provider = llm.defaultProvider ?? Object.keys(llm.providers ?? {})[0] ?? '';
    return `${provider} ${String(modelFor(provider, { flags, llm, settings }))}`;
  };

  it.each([
    ['a model of the line goes to its maker', both, {}, { model: 'gpt-5' }, 'openai gpt-5'],
    ['a model of the file goes to its maker', both, { model: 'gpt-5' }, {}, 'openai gpt-5'],
    ['the maker whose key is missing is named', { ANTHROPIC_API_KEY: 'k' }, {}, { model: 'gpt-5' }, 'openai gpt-5'],
    ['a configured gateway has every model', openai, gateway, { model: 'gpt-5' }, 'openrouter gpt-5'],
    ['an address of its own may have every model', openai, {}, { model: 'opus', baseUrl: 'x' }, 'openai opus'],
    ['a configured maker has its own', both, { provider: 'anthropic' }, { model: 'gpt-5' }, 'openai gpt-5'],
    ['a line means one maker', both, {}, { usualProvider: 'openai' }, /^openai gpt/],
    ['unless the file names one', both, { provider: 'anthropic' }, { usualProvider: 'openai' }, /^anthropic claude/],
    ['or its model', both, { model: 'claude-opus-4-5' }, { usualProvider: 'openai' }, 'anthropic claude-opus-4-5'],
    [
      'the model of the file is not asked of others',
      both,
      { provider: 'x', model: 'm' },
      { provider: 'openai' },
      /gpt/,
    ],
    ["another agent's file is for its maker", openai, claude, {}, /^openai gpt/],
    ['and counts there', both, claude, {}, 'anthropic opus'],
    ['but not for a line of another', both, claude, { usualProvider: 'openai' }, /^openai gpt/],
    ['variables of files name addresses and keys', {}, { variables: { XAI_API_KEY: 'k' } }, { model: 'm' }, 'xai m'],
  ] as const)('%s', (_what, env, settings, flags, expected) => {
    expect(chosen(env, settings, flags)).toMatch(expected);
  });
});
