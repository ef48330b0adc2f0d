import { namesTool } from '@attractor/policy';
import { ownNameOf } from '@attractor/tool-table';
import { createToolRegistry, type ProviderProfile, type RegisteredTool } from '../types/index.ts';
import type { AgentDefinition } from '@attractor/settings';

/** The profile of a child of this type: its own text in front of the person's, and only those of its parent's tools that it may use. */
export function profileForAgent(profile: ProviderProfile, agent: AgentDefinition): ProviderProfile {
  const isTold = agent.omitsDocs !== true;
  const asUsed = (tool: RegisteredTool): RegisteredTool => (isTold ? tool : (tool.withoutDocs ?? tool));
  const offered = profile.toolRegistry.list().filter(({ definition }) => mayUse(agent, definition.name));
  const registry = createToolRegistry(offered.map(asUsed));
  const parents = (name: string): RegisteredTool | null => {
    const tool = mayUse(agent, name) ? profile.toolRegistry.get(name) : null;
    return tool === null ? null : asUsed(tool);
  };
  return {
    ...profile,
    ...(isTold ? {} : { projectDocFiles: [], userDocuments: [] }),
    toolRegistry: { ...registry, get: (name) => registry.get(name) ?? parents(name) },
    // A whole text that somebody gave the session is not about this agent.
    ...(profile.systemText === undefined ? {} : { systemText: agent.prompt }),
    buildSystemPrompt: (context) =>
      profile.buildSystemPrompt({
        ...context,
        ...(isTold ? {} : { omitsDocs: true, projectDocs: '' }),
        userInstruction: [agent.prompt, context.userInstruction ?? ''].filter(Boolean).join('\n\n'),
      }),
  };
}

/** Matches any name that a profile gives the tool. A rule about only a part of a tool leaves the tool available. */
export function mayUse({ tools, disallowedTools = [] }: AgentDefinition, toolName: string): boolean {
  const house = ownNameOf(toolName);
  const isGiven = tools === undefined || tools.some((name) => ownNameOf(name) === house);
  return isGiven && !disallowedTools.some((rule) => namesTool(rule, toolName));
}
