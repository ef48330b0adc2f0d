import { composeSystemPrompt } from '../prompts/compose.ts';
import type { PromptSection } from '../prompts/sections.ts';
import { FAMILY_SURFACES } from './family-surfaces.ts';
import { furtherTools } from './further-tools.ts';
import type { ProfileOptions } from './ports.ts';
import { showAs, type ToolSurface } from './surface.ts';
import { createToolRegistry, type ProviderProfile, type RegisteredTool } from '../types/index.ts';

/** What tells one profile from another. All else is the same for all. */
export type ProfileDefinition = Pick<
  ProviderProfile,
  'id' | 'displayName' | 'defaultModel' | 'projectDocFiles' | 'defaultCommandTimeout'
> & {
  readonly prompt: ReadonlyArray<PromptSection>;
  /** For files, search and commands, with the surface that the profile gives each. Null: the tool's own. */
  readonly tools: ReadonlyArray<readonly [tool: RegisteredTool, surface: ToolSurface | null]>;
};

/** A profile with a registry of its own: what is registered there is seen by no other. */
export function defineProfile(
  { prompt, tools, ...facts }: ProfileDefinition,
  { names = 'house', ports = {} }: ProfileOptions = {},
): ProviderProfile {
  const shown = tools.map(([tool, own]) => {
    const family = names === 'family' ? FAMILY_SURFACES[facts.id][tool.definition.name] : undefined;
    const surface = family ?? own;
    return surface === null ? tool : showAs(tool, forWhatItHas(surface, tool));
  });
  const toolRegistry = createToolRegistry([...shown, ...furtherTools(facts.id, ports)]);
  return {
    ...facts,
    toolRegistry,
    supportsParallelToolCalls: true,
    buildSystemPrompt: (context) =>
      composeSystemPrompt({ prompt, tools: context.tools ?? toolRegistry.definitions(), context }),
  };
}

/** A parameter that only stands for another one is left out where the tool has none such. */
function forWhatItHas(surface: ToolSurface, { definition }: RegisteredTool): ToolSurface {
  const own = Object.keys(definition.parameters['properties'] ?? {});
  const parameters = Object.entries(surface.parameters).filter(
    ([name, { is = name, convert }]) => own.includes(is) || convert !== undefined,
  );
  return { ...surface, parameters: Object.fromEntries(parameters) };
}
