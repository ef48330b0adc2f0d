import { expect, it } from 'vitest';
import { refusedVariable } from './flags-of-others.ts';
import { modelConfiguration } from './model-configuration.ts';

it.each(['CLAUDE_CODE_USE_FOUNDRY', 'CLAUDE_CODE_USE_MANTLE', 'CLAUDE_CODE_USE_ANTHROPIC_AWS'])(
  'a service that %s chooses is not asked here, and no other one in its place',
  (name) => {
    expect(refusedVariable({ [name]: '1' })).toMatch(new RegExp(`set \\w+.* \\(${name}\\)\\.$`));
    expect(refusedVariable({ [name]: '0', ANTHROPIC_API_KEY: 'k' })).toBeNull();
  },
);

it('Foundry is asked where its key and its address are there', () => {
  const env = { CLAUDE_CODE_USE_FOUNDRY: '1', ANTHROPIC_FOUNDRY_API_KEY: 'k', ANTHROPIC_FOUNDRY_RESOURCE: 'here' };
  expect(refusedVariable(env)).toBeNull();
  expect(
    modelConfiguration({ env: { ...env, HOME: '/none' }, settings: {}, flags: {} }).providers?.['anthropic'],
  ).toEqual({
    apiKey: 'k',
    baseUrl: 'https://here.services.ai.azure.com/anthropic',
  });
});
