import {
  createAnthropicProfile,
  createApplyPatchTool,
  createEditFileTool,
  createGlobTool,
  createGrepTool,
  createListDirTool,
  createReadFileTool,
  createShellTool,
  createToolRegistry,
  createWriteFileTool,
  type ProviderProfile,
  type ToolRegistry,
} from '@attractor/agent';
import { CommandFailure, EXIT } from '../exit.ts';

export type OfferedTools = {
  readonly registry: ToolRegistry;
  readonly commandTimeoutMs: number | undefined;
};

const PROFILES: Readonly<Record<string, () => ProviderProfile>> = {
  anthropic: createAnthropicProfile,
};

/** Every tool under its plain name and schema; a profile's own tools take the place of those that share their name. */
export function toolsOfProfile(name: string | undefined): OfferedTools {
  const registry = createToolRegistry([
    createReadFileTool(),
    createWriteFileTool(),
    createEditFileTool(),
    createApplyPatchTool(),
    createShellTool(),
    createGrepTool(),
    createGlobTool(),
    createListDirTool(),
  ]);
  if (name === undefined) return { registry, commandTimeoutMs: undefined };
  const create = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
  if (create === undefined) {
    throw new CommandFailure(`unknown profile '${name}'. Profiles: ${Object.keys(PROFILES).join(', ')}.`, EXIT.usage);
  }
  const profile = create();
  for (const tool of profile.toolRegistry.list()) registry.register(tool);
  return { registry, commandTimeoutMs: profile.defaultCommandTimeout };
}
