import { isRecord, once } from '@attractor/base';
import { ownNameOf } from '@attractor/tool-table';
import type { ProviderProfile, RegisteredTool } from '../types/index.ts';
import { createProfile, PROFILE_IDS } from './choose.ts';
import type { ToolPorts } from './ports.ts';
import { showAs } from './surface.ts';

/**
 * The profile with its tools also under the names, and with the arguments, that each family of models knows: a conversation that was taken
 * over goes on with them. They are not offered, and what the profile does not have is not there under another name either.
 */
export function withOldNames(profile: ProviderProfile, ports: ToolPorts): ProviderProfile {
  const { toolRegistry: own } = profile;
  const families = once(() => PROFILE_IDS.map((id) => createProfile({ id, names: 'family', ports }).toolRegistry));
  const old = (name: string): RegisteredTool | null => {
    if (name === EXEC_COMMAND) return execCommand(own.list());
    const house = ownNameOf(name);
    if (!own.list().some(({ definition }) => ownNameOf(definition.name) === house)) return null;
    for (const registry of families()) {
      const found = registry.get(name);
      if (found !== null) return found;
    }
    return null;
  };
  return { ...profile, toolRegistry: { ...own, get: (name) => own.get(name) ?? old(name) } };
}

const EXEC_COMMAND = 'exec_command';

/** Codex's commands take what they run as `cmd`. What it says about waiting and about its own sandbox has no meaning here. */
function execCommand(tools: ReadonlyArray<RegisteredTool>): RegisteredTool | null {
  const shell = tools.find(({ definition }) => ownNameOf(definition.name) === 'shell');
  if (shell === undefined) return null;
  const { properties } = shell.definition.parameters;
  const knowsFolders = isRecord(properties) && Object.hasOwn(properties, FOLDER);
  const unused = { schema: {}, convert: () => undefined };
  return showAs(shell, {
    name: EXEC_COMMAND,
    parameters: {
      cmd: { is: 'command' },
      ...(knowsFolders ? { workdir: { is: FOLDER } } : {}),
      ...Object.fromEntries(UNUSED.map((name) => [name, unused])),
    },
  });
}

const FOLDER = 'working_dir';
const UNUSED = ['tty', 'yield_time_ms', 'max_output_tokens', 'shell', 'login', 'sandbox_permissions', 'justification'];
