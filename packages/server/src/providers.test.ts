import { expect, it } from 'vitest';
import { describeProviders } from './providers.ts';

it('names what makes each service ready, those that are first, and never a key', () => {
  const llm = { providers: { openai: { apiKey: 'sk-secret' }, own: { protocol: 'openai-chat' as const } } };
  const told = describeProviders(llm, '/home/ada/.attractor');
  expect(told.slice(0, 2)).toMatchObject([
    { id: 'openai', isReady: true, keyVariables: ['OPENAI_API_KEY'] },
    { id: 'own', isReady: true, keyVariables: [] },
  ]);
  expect(told.find(({ id }) => id === 'anthropic')).toEqual({
    id: 'anthropic',
    isReady: false,
    isKeyOptional: false,
    keyVariables: ['ANTHROPIC_API_KEY'],
    addressVariables: ['ANTHROPIC_BASE_URL'],
    settingsFile: '/home/ada/.attractor/config.json',
    models: expect.arrayContaining([
      { id: 'claude-sonnet-4-20250514', aliases: ['claude-sonnet-4-0'], contextWindow: 200_000 },
    ]),
  });
  expect(JSON.stringify(told)).not.toContain('sk-secret');
});
