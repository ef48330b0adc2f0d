import type { ProfileId } from '../types/index.ts';
import type { SurfaceParameter, ToolSurface } from './surface.ts';

const ABSOLUTE: SurfaceParameter = { schema: { description: 'The absolute path of the file.' } };
const flag = (is: string, description: string): SurfaceParameter => ({ is, schema: { type: 'boolean', description } });

/**
 * By the house's name of a tool: how a family's own agents spell it, where that differs. A parameter that a tool lacks here (it has no
 * background, say) is left out.
 */
export const FAMILY_SURFACES: Readonly<Record<ProfileId, Readonly<Record<string, ToolSurface>>>> = {
  openai: {},
  anthropic: {
    read_file: { name: 'Read', parameters: { file_path: ABSOLUTE, offset: {}, limit: {}, pages: {} } },
    write_file: { name: 'Write', parameters: { file_path: ABSOLUTE, content: {} } },
    edit_file: {
      name: 'Edit',
      parameters: { file_path: ABSOLUTE, old_string: {}, new_string: {}, replace_all: {} },
    },
    shell: {
      name: 'Bash',
      parameters: { command: {}, description: {}, timeout: { is: 'timeout_ms' }, run_in_background: {} },
    },
    glob: { name: 'Glob', parameters: { pattern: {}, path: {} } },
    grep: {
      name: 'Grep',
      description:
        'Searches file contents for a regular expression. Shows the paths of files that match, unless output_mode asks for matching lines or counts.',
      parameters: {
        pattern: {},
        path: {},
        glob: { is: 'include' },
        type: { is: 'file_type' },
        output_mode: {
          schema: { description: 'content, files_with_matches (the default) or count.' },
          convert: (mode) => mode ?? 'files_with_matches',
        },
        '-i': { ...flag('case_sensitive', 'Case does not count.'), convert: (on) => (on === true ? false : undefined) },
        '-n': flag('line_numbers', 'Show line numbers. Default true.'),
        '-o': flag('only_matching', 'Show only the part of each line that matches.'),
        '-A': { is: 'lines_after' },
        '-B': { is: 'lines_before' },
        '-C': { is: 'context_lines' },
        head_limit: {},
        offset: {},
        multiline: {},
      },
    },
  },
  gemini: {
    edit_file: {
      name: 'replace',
      description:
        'Replaces exact text in a file. old_string must occur exactly once, unless allow_multiple is true; include enough lines around it.',
      parameters: {
        file_path: {},
        instruction: {
          schema: { type: 'string', description: 'What the change is for.' },
          convert: () => undefined,
        },
        old_string: {},
        new_string: {},
        allow_multiple: flag('replace_all', 'Replace every occurrence.'),
      },
    },
    shell: {
      name: 'run_shell_command',
      parameters: {
        command: {},
        description: {},
        dir_path: { is: 'working_dir' },
        is_background: { is: 'run_in_background' },
        timeout_ms: {},
      },
    },
    grep: { name: 'search_file_content', parameters: { pattern: {}, dir_path: { is: 'path' }, include: {} } },
    list_dir: {
      name: 'list_directory',
      parameters: { dir_path: { is: 'path' }, ignore: {}, respect_git_ignore: {} },
    },
  },
};
