import { GEMINI_PROMPT } from '../prompts/gemini.ts';
import type { ProviderProfile } from '../types/index.ts';
import { defineProfile } from './define.ts';
import type { ProfileOptions } from './ports.ts';

/** For models that like a stated number of replacements, offsets from 0, and to look around. */
export function createGeminiProfile(options: ProfileOptions = {}): ProviderProfile {
  return defineProfile(
    {
      id: 'gemini',
      displayName: 'Gemini (gemini-cli)',
      defaultModel: 'gemini-2.5-pro',
      projectDocFiles: ['AGENTS.md', 'GEMINI.md'],
      defaultCommandTimeout: 10_000,
      offsetBase: 0,
      prompt: GEMINI_PROMPT,
    },
    options,
  );
}
