import { isRecord } from '@attractor/base';
import { type OtherWords, ownNameOf, WORDS_OF_OTHERS } from '@attractor/tool-table';
import { createToolRegistry, type ProviderProfile, type RegisteredTool, type ToolRegistry } from '../types/index.ts';
import { createProfile, PROFILE_IDS } from './choose.ts';
import type { ToolPorts } from './ports.ts';

/**
 * The profile with its tools also under the names, and with the arguments, that each family of models knows: a conversation that was taken
 * over goes on with them. They are not offered, and what the profile does not have is not there under another name either. `ports` may be
 * others at another time: skills are read again.
 */
export function withOldNames(profile: ProviderProfile, ports: () => ToolPorts): ProviderProfile {
  const { toolRegistry: given } = profile;
  const own = createToolRegistry(given.list().map(byAnyPath).map(byWords));
  const made = new WeakMap<ToolPorts, ReadonlyArray<ToolRegistry>>();
  const families = (): ReadonlyArray<ToolRegistry> => {
    const now = ports();
    const known =
      made.get(now) ?? PROFILE_IDS.map((id) => createProfile({ id, names: 'family', ports: now }).toolRegistry);
    made.set(now, known);
    return known;
  };
  const old = (name: string): RegisteredTool | null => {
    const words = Object.hasOwn(WORDS_OF_OTHERS, name) ? WORDS_OF_OTHERS[name] : undefined;
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

/** Earlier versions of Codex gave a command as its words, and where it runs as `workdir`. */
function byWords(tool: RegisteredTool): RegisteredTool {
  if (ownNameOf(tool.definition.name) !== 'shell') return tool;
  const { ownArguments = (args) => args } = tool;
  return {
    ...tool,
    ownArguments: (args) => {
      const { command, workdir, ...rest } = args;
      if (!Array.isArray(command) || !command.every((word) => typeof word === 'string')) return ownArguments(args);
      const where = workdir === undefined ? {} : { working_dir: workdir };
      return ownArguments({ ...rest, ...where, command: lineOf(command) });
    },
  };
}

function lineOf(words: ReadonlyArray<string>): string {
  const [shell = '', flag = '', script, ...more] = words;
  const isScript = /^(?:.*\/)?(?:bash|sh|zsh)$/.test(shell) && (flag === '-c' || flag === '-lc') && more.length === 0;
  return isScript && script !== undefined ? script : words.map(quoted).join(' ');
}

/** As rules have it: only what needs quotes gets them. */
function quoted(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
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
