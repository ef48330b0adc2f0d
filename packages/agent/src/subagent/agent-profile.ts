import { houseNameOf } from '../profiles/names.ts';
import { createToolRegistry, type ProviderProfile } from '../types/index.ts';
import type { AgentDefinition } from './agent-definition.ts';

/** The profile of a child of this kind: its own words in front of the person's, and of its parent's tools only those it may use. */
export function profileForAgent(profile: ProviderProfile, { tools, prompt }: AgentDefinition): ProviderProfile {
  const wanted = tools === undefined ? null : new Set(tools.map(houseNameOf));
  const offered = profile.toolRegistry
    .list()
    .filter(({ definition }) => wanted === null || wanted.has(houseNameOf(definition.name)));
  return {
    ...profile,
    toolRegistry: createToolRegistry(offered),
    buildSystemPrompt: (context) =>
      profile.buildSystemPrompt({
        ...context,
        userInstruction: [prompt, context.userInstruction ?? ''].filter(Boolean).join('\n\n'),
      }),
  };
}
