import { isRecord, once } from '@attractor/base';
import { ownNameOf } from '@attractor/tool-table';
import type { ProviderProfile, RegisteredTool } from '../types/index.ts';
import { createProfile, PROFILE_IDS } from './choose.ts';
import type { ToolPorts } from './ports.ts';

/**
 * The profile with its tools also under the names, and with the arguments, that each family of models knows: a conversation that was taken
 * over goes on with them. They are not offered, and what the profile does not have is not there under another name either.
 */
export function withOldNames(profile: ProviderProfile, ports: ToolPorts): ProviderProfile {
  const { toolRegistry: own } = profile;
  const families = once(() => PROFILE_IDS.map((id) => createProfile({ id, names: 'family', ports }).toolRegistry));
  const old = (name: string): RegisteredTool | null => {
    const words = Object.hasOwn(OTHERS, name) ? OTHERS[name] : undefined;
    if (words !== undefined) return inOtherWords(own.list(), words);
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

type OtherWords = { readonly tool: string; readonly fields: Readonly<Record<string, string>> };

const FILE = { filePath: 'file_path', path: 'file_path', file_path: 'file_path' };

/**
 * Tools of Codex, opencode and pi: ours, and by their names for arguments what ours takes. Other arguments, such as how long Codex waits and
 * what it says about its own sandbox, have no meaning here. A call is judged, shown and run in our words.
 */
const OTHERS: Readonly<Record<string, OtherWords>> = {
  exec_command: { tool: 'shell', fields: { cmd: 'command', workdir: 'working_dir' } },
  bash: { tool: 'shell', fields: { command: 'command', workdir: 'working_dir' } },
  read: { tool: 'read_file', fields: { ...FILE, offset: 'offset', limit: 'limit' } },
  write: { tool: 'write_file', fields: { ...FILE, content: 'content' } },
  edit: {
    tool: 'edit_file',
    fields: { ...FILE, oldString: 'old_string', newString: 'new_string', oldText: 'old_string', newText: 'new_string' },
  },
};

function inOtherWords(tools: ReadonlyArray<RegisteredTool>, { tool, fields }: OtherWords): RegisteredTool | null {
  const own = tools.find(({ definition }) => ownNameOf(definition.name) === tool);
  if (own === undefined) return null;
  const { properties } = own.definition.parameters;
  const known = isRecord(properties) ? properties : {};
  return {
    ...own,
    ownArguments: (args) =>
      Object.fromEntries(
        Object.entries(args).flatMap(([name, value]) => {
          const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
          return field === undefined || !Object.hasOwn(known, field) ? [] : [[field, value]];
        }),
      ),
  };
}
