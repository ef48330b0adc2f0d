import { namesTool } from '@attractor/policy';
import { ownNameOf } from '@attractor/tool-table';
import { createToolRegistry, type ProviderProfile } from '../types/index.ts';
import type { AgentDefinition } from '@attractor/settings';

/** The profile of a child of this kind: its own words in front of the person's, and of its parent's tools only those it may use. */
export function profileForAgent(profile: ProviderProfile, agent: AgentDefinition): ProviderProfile {
  const offered = profile.toolRegistry.list().filter(({ definition }) => mayUse(agent, definition.name));
  return {
    ...profile,
    toolRegistry: createToolRegistry(offered),
    buildSystemPrompt: (context) =>
      profile.buildSystemPrompt({
        ...context,
        userInstruction: [agent.prompt, context.userInstruction ?? ''].filter(Boolean).join('\n\n'),
      }),
  };
}

/** By any name that a profile gives the tool. A rule about a part of what a tool does leaves the tool to it. */
export function mayUse({ tools, disallowedTools = [] }: AgentDefinition, toolName: string): boolean {
  const house = ownNameOf(toolName);
  const isGiven = tools === undefined || tools.some((name) => ownNameOf(name) === house);
  return isGiven && !disallowedTools.some((rule) => namesTool(rule, toolName));
}
