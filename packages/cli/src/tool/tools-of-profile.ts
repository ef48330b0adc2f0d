import { createProfile, createToolRegistry, PROFILE_IDS, type ToolRegistry, toolsAlone } from '@attractor/agent';
import { CommandFailure, EXIT } from '@attractor/console';

/** `plain` has every tool under its own names; `shown` what the models of a profile see, if one was chosen. */
export type OfferedTools = {
  readonly plain: ToolRegistry;
  readonly shown: ToolRegistry | null;
  readonly commandTimeoutMs: number | undefined;
};

export function toolsOfProfile(name: string | undefined): OfferedTools {
  const plain = createToolRegistry(toolsAlone());
  if (name === undefined) return { plain, shown: null, commandTimeoutMs: undefined };
  const id = PROFILE_IDS.find((known) => known === name);
  if (id === undefined) {
    throw new CommandFailure(`unknown profile '${name}'. Profiles: ${PROFILE_IDS.join(', ')}.`, EXIT.usage);
  }
  const profile = createProfile(id);
  return { plain, shown: profile.toolRegistry, commandTimeoutMs: profile.defaultCommandTimeout };
}
