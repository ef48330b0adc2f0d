import { isRecord, once } from '@attractor/base';
import { ownNameOf } from '@attractor/tool-table';
import { createToolRegistry, type ProviderProfile, type RegisteredTool } from '../types/index.ts';
import { createProfile, PROFILE_IDS } from './choose.ts';
import type { ToolPorts } from './ports.ts';

/**
 * The profile with its tools also under the names, and with the arguments, that each family of models knows: a conversation that was taken
 * over goes on with them. They are not offered, and what the profile does not have is not there under another name either.
 */
export function withOldNames(profile: ProviderProfile, ports: ToolPorts): ProviderProfile {
  const { toolRegistry: given } = profile;
  const own = createToolRegistry(given.list().map(byAnyPath));
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
  return { ...profile, toolRegistry: { ...own, get: (name) => own.get(name) ?? given.get(name) ?? old(name) } };
}

/** `read_file` is Cline's name, too: its file is called `path`. */
function byAnyPath(tool: RegisteredTool): RegisteredTool {
  const { properties } = tool.definition.parameters;
  if (!isRecord(properties) || !Object.hasOwn(properties, 'file_path') || Object.hasOwn(properties, 'path'))
    return tool;
  const { ownArguments = (args) => args } = tool;
  return {
    ...tool,
    ownArguments: ({ path, ...rest }) => ownArguments(path === undefined ? rest : { file_path: path, ...rest }),
  };
}

type Arguments = Readonly<Record<string, unknown>>;

/** `flat`: where arguments are lists or stand deeper, those of the one thing that ours does. */
type OtherWords = {
  readonly tool: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly flat?: (args: Arguments) => Arguments;
};

const FILE = { filePath: 'file_path', path: 'file_path', file_path: 'file_path' };

/**
 * Tools of Codex, opencode, pi, Cline and goose: ours, and by their names for arguments what ours takes. Other arguments, such
 * as how long Codex waits and what it says about its own sandbox, have no meaning here. A call is judged, shown and run in our words.
 */
const OTHERS: Readonly<Record<string, OtherWords>> = {
  exec_command: { tool: 'shell', fields: { cmd: 'command', workdir: 'working_dir' } },
  bash: { tool: 'shell', fields: { command: 'command', workdir: 'working_dir' } },
  read: { tool: 'read_file', fields: { ...FILE, offset: 'offset', limit: 'limit' } },
  execute_command: { tool: 'shell', fields: { command: 'command' } },
  developer__shell: { tool: 'shell', fields: { command: 'command' } },
  run_commands: { tool: 'shell', fields: { command: 'command' }, flat: oneScript },
  read_files: { tool: 'read_file', fields: { ...FILE, offset: 'offset', limit: 'limit' }, flat: theOnlyFile },
  write_to_file: { tool: 'write_file', fields: { ...FILE, content: 'content' } },
  editor: { tool: 'edit_file', fields: { ...FILE, old_text: 'old_string', new_text: 'new_string' } },
  write: { tool: 'write_file', fields: { ...FILE, content: 'content' } },
  edit: {
    tool: 'edit_file',
    fields: {
      ...FILE,
      ...{ oldString: 'old_string', newString: 'new_string' },
      ...{ oldText: 'old_string', newText: 'new_string' },
      ...{ before: 'old_string', after: 'new_string' },
    },
  },
};

/** Several commands are one script; each is judged. */
function oneScript({ commands }: Arguments): Arguments {
  const all = Array.isArray(commands) ? commands : [commands];
  return all.every((one) => typeof one === 'string') ? { command: all.join('\n') } : {};
}

/** More than one file is refused, as a call without a file is: ours reads one, and says so. */
function theOnlyFile({ files }: Arguments): Arguments {
  const [file, ...more] = Array.isArray(files) ? files.filter(isRecord) : [];
  if (file === undefined || more.length > 0) return {};
  const { path, start_line: start, end_line: end } = file;
  const from = typeof start === 'number' ? start : 1;
  return { path, offset: from, ...(typeof end === 'number' ? { limit: end - from + 1 } : {}) };
}

function inOtherWords(tools: ReadonlyArray<RegisteredTool>, { tool, fields, flat }: OtherWords): RegisteredTool | null {
  const own = tools.find(({ definition }) => ownNameOf(definition.name) === tool);
  if (own === undefined) return null;
  const { properties } = own.definition.parameters;
  const known = isRecord(properties) ? properties : {};
  return {
    ...own,
    ownArguments: (args) =>
      Object.fromEntries(
        Object.entries(flat?.(args) ?? args).flatMap(([name, value]) => {
          const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
          return field === undefined || !Object.hasOwn(known, field) ? [] : [[field, value]];
        }),
      ),
  };
}
