import { ANTHROPIC_PROMPT } from '../prompts/anthropic.ts';
import type { ProviderProfile } from '../types/index.ts';
import { defineProfile } from './define.ts';
import type { ProfileOptions } from './ports.ts';

/** For models trained on exact string edits and absolute paths. */
export function createAnthropicProfile(options: ProfileOptions = {}): ProviderProfile {
  return defineProfile(
    {
      id: 'anthropic',
      displayName: 'Anthropic (Claude Code)',
      defaultModel: 'claude-sonnet-4-5-20250929',
      projectDocFiles: ['AGENTS.md', 'CLAUDE.md'],
      defaultCommandTimeout: 120_000,
      offsetBase: 1,
      prompt: ANTHROPIC_PROMPT,
    },
    options,
  );
}
