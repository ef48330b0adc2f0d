import type { DeclaredTool } from '../protocol.ts';
import type { AbstractCall } from '../script/types.ts';
import { isObject, objectOf, stringOf } from '../wire/json.ts';

type Use = AbstractCall['use'];
interface Matched {
  name: string;
  args: Record<string, unknown>;
}

/** Tool names by purpose; compared without case and punctuation, first declared match wins. */
const NAMES: Record<Use, string[]> = {
  read: ['read_file', 'Read', 'file.read', 'view', 'view_file', 'open_file', 'cat'],
  edit: [
    'edit_file',
    'Edit',
    'str_replace',
    'replace',
    'str_replace_editor',
    'str_replace_based_edit_tool',
    'file.patch',
  ],
  write: ['write_file', 'Write', 'file.write', 'create_file', 'file.create'],
  shell: [
    'shell',
    'Bash',
    'run_shell_command',
    'exec_command',
    'run_command',
    'local_shell',
    'execute_command',
    'exec',
  ],
  grep: ['grep', 'Grep', 'search_file_content', 'grep_search', 'file.search', 'search', 'ripgrep'],
  glob: ['glob', 'Glob', 'find_files', 'file_search'],
  list: ['list_dir', 'LS', 'list_directory', 'list_files', 'file.list', 'ls'],
  patch: ['apply_patch', 'patch'],
};

/** Parameter names for each field of an abstract call; the first one in the tool's schema is used. */
const PARAMETERS: Record<string, string[]> = {
  path: [
    'file_path',
    'path',
    'absolute_path',
    'target_file',
    'filename',
    'filePath',
    'dir_path',
    'directory',
    'dir',
    'root',
  ],
  offset: ['offset', 'start_line', 'start'],
  limit: ['limit', 'max_lines'],
  old: ['old_string', 'old_str', 'old', 'old_text', 'find', 'search', 'oldString'],
  new: ['new_string', 'new_str', 'new', 'new_text', 'replace', 'newString'],
  all: ['replace_all'],
  content: ['content', 'contents', 'file_text', 'text'],
  command: ['command', 'cmd', 'script'],
  timeoutMs: ['timeout_ms', 'timeout'],
  pattern: ['pattern', 'query', 'regex'],
  include: ['include', 'glob', 'glob_filter'],
  patch: ['patch', 'input', 'diff'],
};

/** Expresses an abstract call with the client's declared tools; nothing if none of them can do it. */
export function matchTool(call: AbstractCall, tools: readonly DeclaredTool[]): Matched | undefined {
  const tool = findTool(call.use, tools);
  if (tool !== undefined) return { name: tool.name, args: argumentsFor(call, tool) };
  const patch = patchFor(call);
  const patchTool = patch === undefined ? undefined : findTool('patch', tools);
  if (patchTool && patch) return { name: patchTool.name, args: argumentsFor(patch, patchTool) };
  const command = commandFor(call);
  const shell = command === undefined ? undefined : findTool('shell', tools);
  if (shell && command !== undefined) return { name: shell.name, args: argumentsFor({ use: 'shell', command }, shell) };
  return undefined;
}

function findTool(use: Use, tools: readonly DeclaredTool[]): DeclaredTool | undefined {
  const byName = new Map(tools.map((tool) => [plain(tool.name), tool]));
  for (const name of NAMES[use]) {
    const tool = byName.get(plain(name));
    if (tool) return tool;
  }
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function argumentsFor(call: AbstractCall, tool: DeclaredTool): Record<string, unknown> {
  const properties = objectOf(tool.parameters['properties']);
  const args: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(call)) {
    if (field === 'use' || field === 'id' || value === undefined) continue;
    const name = parameterFor(field, properties);
    if (name !== undefined) args[name] = valueFor({ field, name, value }, properties);
  }
  if (call.use === 'edit' && isObject(properties['patches'])) args['patches'] = [{ find: call.old, replace: call.new }];
  if (isObject(properties['command']) && call.use === 'edit') args['command'] = 'str_replace';
  return args;
}

function parameterFor(field: string, properties: Record<string, unknown>): string | undefined {
  const names = PARAMETERS[field] ?? [field];
  if (Object.keys(properties).length === 0) return names[0];
  return names.find((name) => name in properties);
}

/** A shell tool may want an argument vector instead of a line. */
function valueFor(
  given: { field: string; name: string; value: unknown },
  properties: Record<string, unknown>,
): unknown {
  const type = objectOf(properties[given.name])['type'];
  const wantsVector = stringOf(type).toLowerCase() === 'array';
  return given.field === 'command' && wantsVector ? ['bash', '-lc', given.value] : given.value;
}

/** A client with only a patch tool edits and writes through it. */
function patchFor(call: AbstractCall): AbstractCall | undefined {
  if (call.use === 'edit') {
    const lines = [...prefixed('-', call.old), ...prefixed('+', call.new)];
    return { use: 'patch', patch: wrapPatch([`*** Update File: ${call.path}`, '@@', ...lines]) };
  }
  if (call.use === 'write') {
    return { use: 'patch', patch: wrapPatch([`*** Add File: ${call.path}`, ...prefixed('+', call.content)]) };
  }
  return undefined;
}

function prefixed(sign: string, text: string): string[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => sign + line);
}

function wrapPatch(lines: string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
}

/** A client with only a shell explores through it. */
function commandFor(call: AbstractCall): string | undefined {
  if (call.use === 'read') return `cat ${quote(call.path)}`;
  if (call.use === 'list') return `ls -a ${quote(call.path)}`;
  if (call.use === 'grep') return `grep -rn -e ${quote(call.pattern)} ${quote(call.path ?? '.')}`;
  if (call.use === 'glob')
    return `find ${quote(call.path ?? '.')} -path ${quote(`*${call.pattern.replaceAll('**/', '')}`)}`;
  return undefined;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
