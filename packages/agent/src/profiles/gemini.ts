import { GEMINI_PROMPT } from '../prompts/gemini.ts';
import type { ProviderProfile } from '../types/index.ts';
import { defineProfile } from './define.ts';
import type { ProfileOptions } from './ports.ts';

/** For models trained on a stated number of replacements and offsets from 0, and that like to explore first. */
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
