import { OPENAI_PROMPT } from '../prompts/openai.ts';
import type { ProviderProfile } from '../types/index.ts';
import { defineProfile } from './define.ts';
import type { ProfileOptions } from './ports.ts';

/** For models trained on patches: one tool changes, moves and deletes files, another creates them. */
export function createOpenAiProfile(options: ProfileOptions = {}): ProviderProfile {
  return defineProfile(
    {
      id: 'openai',
      displayName: 'OpenAI (codex-rs)',
      defaultModel: 'o4-mini',
      projectDocFiles: ['AGENTS.md', '.codex/instructions.md'],
      defaultCommandTimeout: 10_000,
      offsetBase: 1,
      prompt: OPENAI_PROMPT,
    },
    options,
  );
}
