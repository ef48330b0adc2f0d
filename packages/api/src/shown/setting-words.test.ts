import type { AgentInfo } from '../server-parts.ts';
import { EFFORTS, PERMISSION_MODES } from '@attractor/facts';
import { describe, expect, it } from 'vitest';
import { settingName, settingValue } from './setting-words.ts';

/** A value of each setting that the API names; the compiler misses one that is left out. */
const EVERY: Required<AgentInfo['defaults']> = {
  model: 'm-1',
  provider: 'anthropic',
  maxTurns: 40,
  timeout: 90_000,
  effort: 'high',
  permissionMode: 'default',
  systemPrompt: 'Be brief.',
  autoCommit: true,
  autoPush: false,
  branchPrefix: 'agent/',
  baseBranch: 'main',
  branchStrategy: 'new-per-run',
  preserveUncommitted: true,
  rebaseOnStart: true,
  onConflict: 'fail',
  installDeps: false,
};

/** A capital, then words as they are printed: no name of a file format. */
const IN_WORDS = /^[A-Z][a-z]*(?:,? [A-Za-z][a-z-]*)*$/;

describe('the words of settings', () => {
  it.each(Object.keys(EVERY))('has a name in words for %s', (name) => {
    expect(settingName(name)).toMatch(IN_WORDS);
  });

  it.each([
    ...PERMISSION_MODES.map((mode) => ['permissionMode', mode] as const),
    ...EFFORTS.map((effort) => ['effort', effort] as const),
    ['branchStrategy', 'new-per-task'],
    ['branchStrategy', 'new-per-run'],
    ['onConflict', 'continue'],
    ['onConflict', 'fail'],
    ['autoPush', EVERY.autoPush],
  ] as const)('says what %s %s means', (name, value) => {
    expect(settingValue(name, value)).toMatch(IN_WORDS);
  });

  it('shows times as times, numbers as they are, and what it does not know by its own name', () => {
    expect(settingValue('timeout', EVERY.timeout)).toBe('1 m 30 s');
    expect(settingValue('maxTurns', EVERY.maxTurns)).toBe('40');
    expect(settingName('ofAnotherVersion')).toBe('Of another version');
  });
});
