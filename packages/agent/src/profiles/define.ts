import { composeSystemPrompt } from '../prompts/compose.ts';
import type { SystemTextSection } from '../prompts/sections.ts';
import { familyNameOf, type ToolRow, TOOLS } from '@attractor/tool-table';
import { createToolRegistry, type ProviderProfile, type RegisteredTool } from '../types/index.ts';
import { MADE_TOOLS, type MadeTool, makeTool, type MakeToolOptions } from './make-tools.ts';
import type { ProfileOptions } from './ports.ts';
import { showAs, type ToolSurface } from './surface.ts';
import { SURFACES } from './surfaces.ts';

/** The differences between profiles. Everything else is the same for all; a profile's tools are those whose rows name it. */
export type ProfileDefinition = Pick<
  ProviderProfile,
  'id' | 'displayName' | 'defaultModel' | 'projectDocFiles' | 'defaultCommandTimeout'
> &
  Pick<MakeToolOptions, 'offsetBase'> & { readonly prompt: ReadonlyArray<SystemTextSection> };

/** A profile with its own registry: tools registered there are seen by no other profile. */
export function defineProfile(
  { prompt, offsetBase, ...facts }: ProfileDefinition,
  { names = 'house', ports = {} }: ProfileOptions = {},
): ProviderProfile {
  const making: MakeToolOptions = { ports, offsetBase, defaultTimeoutMs: facts.defaultCommandTimeout };
  const toolRegistry = createToolRegistry(
    MADE_TOOLS.flatMap((name) => shownTo(facts.id, { name, names, tool: () => makeTool(name, making) })),
  );
  return {
    ...facts,
    toolRegistry,
    supportsParallelToolCalls: true,
    buildSystemPrompt: (context) =>
      composeSystemPrompt({ prompt, tools: context.tools ?? toolRegistry.definitions(), context }),
  };
}

type Offered = {
  readonly name: MadeTool;
  readonly names: 'house' | 'family';
  readonly tool: () => RegisteredTool | null;
};

/** The tool as the family's models see it; empty if the family is not offered it, or it can't be made. */
function shownTo(family: ProviderProfile['id'], offered: Offered): ReadonlyArray<RegisteredTool> {
  const { families }: ToolRow = TOOLS[offered.name];
  const spelling = families[family];
  const tool = spelling === undefined ? null : offered.tool();
  if (spelling === undefined || tool === null) return [];
  const { usual, asked } = SURFACES[offered.name]?.[family] ?? {};
  const surface = offered.names === 'family' ? (asked ?? usual) : usual;
  const shown = surface === undefined ? tool : showAs(tool, forWhatItHas(surface, tool));
  const name = offered.names === 'family' ? familyNameOf(offered.name, family) : (spelling.always ?? offered.name);
  return [{ ...shown, definition: { ...shown.definition, name } }];
}

/** A parameter that only renames another one is left out if the tool does not have that one. */
function forWhatItHas(surface: ToolSurface, { definition }: RegisteredTool): ToolSurface {
  const own = Object.keys(definition.parameters['properties'] ?? {});
  const parameters = Object.entries(surface.parameters).filter(
    ([name, { is = name, convert }]) => own.includes(is) || convert !== undefined,
  );
  return { ...surface, parameters: Object.fromEntries(parameters) };
}
