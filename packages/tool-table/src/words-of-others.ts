import { isRecord } from '@attractor/base';

type Arguments = Readonly<Record<string, unknown>>;

/** `flat`: where arguments are lists or stand deeper, those of the one thing that ours does. */
export type OtherWords = {
  readonly tool: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly flat?: (args: Arguments) => Arguments;
};

const FILE = { filePath: 'file_path', path: 'file_path', file_path: 'file_path' };

/**
 * Tools of Codex, opencode, pi, Cline and goose: ours, and by their names for arguments what ours takes. Other arguments, such
 * as how long Codex waits and what it says about its own sandbox, have no meaning here. A call is judged, shown and run in our words.
 */
export const WORDS_OF_OTHERS: Readonly<Record<string, OtherWords>> = {
  exec_command: { tool: 'shell', fields: { cmd: 'command', workdir: 'working_dir' } },
  bash: { tool: 'shell', fields: { command: 'command', workdir: 'working_dir' } },
  read: { tool: 'read_file', fields: { ...FILE, offset: 'offset', limit: 'limit' } },
  shell_command: { tool: 'shell', fields: { command: 'command', workdir: 'working_dir' } },
  execute_command: { tool: 'shell', fields: { command: 'command' } },
  developer__shell: { tool: 'shell', fields: { command: 'command' } },
  run_commands: { tool: 'shell', fields: { command: 'command' }, flat: oneScript },
  read_files: { tool: 'read_file', fields: { ...FILE, offset: 'offset', limit: 'limit' }, flat: theOnlyFile },
  write_to_file: { tool: 'write_file', fields: { ...FILE, content: 'content' } },
  editor: { tool: 'edit_file', fields: { ...FILE, old_text: 'old_string', new_text: 'new_string' } },
  list: { tool: 'list_dir', fields: { path: 'path', ignore: 'ignore' }, flat: here },
  ls: { tool: 'list_dir', fields: { path: 'path' }, flat: here },
  list_files: { tool: 'list_dir', fields: { path: 'path' }, flat: here },
  find: { tool: 'glob', fields: { pattern: 'pattern', path: 'path' } },
  search_files: { tool: 'grep', fields: { path: 'path', regex: 'pattern', file_pattern: 'include' } },
  webfetch: { tool: 'web_fetch', fields: { url: 'url' } },
  write: { tool: 'write_file', fields: { ...FILE, content: 'content' } },
  edit: {
    tool: 'edit_file',
    fields: {
      ...FILE,
      oldString: 'old_string',
      newString: 'new_string',
      oldText: 'old_string',
      newText: 'new_string',
      before: 'old_string',
      after: 'new_string',
    },
  },
};

function here(args: Arguments): Arguments {
  return { path: '.', ...args };
}

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
