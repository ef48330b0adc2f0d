import { composeSystemPrompt } from '../prompts/compose.ts';
import type { PromptSection } from '../prompts/sections.ts';
import { createToolRegistry, type ProviderProfile, type RegisteredTool } from '../types/index.ts';

/** What tells one profile from another. All else is the same for all. */
export type ProfileDefinition = Pick<
  ProviderProfile,
  'id' | 'displayName' | 'defaultModel' | 'projectDocFiles' | 'defaultCommandTimeout'
> & {
  readonly prompt: ReadonlyArray<PromptSection>;
  readonly tools: ReadonlyArray<RegisteredTool>;
};

/** A profile with a registry of its own: what is registered there is seen by no other. */
export function defineProfile({ prompt, tools, ...facts }: ProfileDefinition): ProviderProfile {
  const toolRegistry = createToolRegistry(tools);
  return {
    ...facts,
    toolRegistry,
    supportsParallelToolCalls: true,
    buildSystemPrompt: (context) =>
      composeSystemPrompt({ prompt, tools: context.tools ?? toolRegistry.definitions(), context }),
  };
}
