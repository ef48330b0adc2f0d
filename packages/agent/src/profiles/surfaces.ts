import { failure } from '../tools/arguments.ts';
import { todosIn } from '../tools/todos/todos.ts';
import type { ToolName } from '@attractor/tool-table';
import type { ProfileId } from '../types/index.ts';
import { eitherCase } from './either-case.ts';
import { replacementsAsExpected } from './expected-replacements.ts';
import type { SurfaceParameter, ToolSurface } from './surface.ts';

/**
 * How a family sees a tool, if that differs from the tool itself: `asked` when the family's own names are requested, `usual` otherwise. A
 * parameter that the tool lacks here (it has no background, say) is left out.
 */
export type FamilySurfaces = { readonly usual?: ToolSurface; readonly asked?: ToolSurface };

const ABSOLUTE: SurfaceParameter = { schema: { type: 'string', description: 'The absolute path of the file.' } };
const flag = (is: string, description: string): SurfaceParameter => ({ is, schema: { type: 'boolean', description } });

/** These parameters under the same names, and no others. */
function only(...names: ReadonlyArray<string>): ToolSurface {
  return { parameters: Object.fromEntries(names.map((name) => [name, {}])) };
}

/** With an absolute path. */
function absolute(...further: ReadonlyArray<string>): ToolSurface {
  return { parameters: { file_path: ABSOLUTE, ...only(...further).parameters } };
}

export const SURFACES: Readonly<Partial<Record<ToolName, Readonly<Partial<Record<ProfileId, FamilySurfaces>>>>>> = {
  read_file: {
    anthropic: { usual: absolute('offset', 'limit', 'pages') },
    gemini: { usual: { parameters: { path: { is: 'file_path' }, offset: {}, limit: {}, pages: {} } } },
  },
  write_file: {
    anthropic: { usual: absolute('content') },
    openai: {
      usual: {
        description: 'Writes a new file, making missing folders. To change an existing file use apply_patch.',
        ...only('file_path', 'content'),
      },
    },
  },
  edit_file: {
    anthropic: { usual: absolute('old_string', 'new_string', 'replace_all') },
    gemini: {
      usual: {
        description:
          'Replaces exact text in a file. old_string must occur exactly once, or exactly as often as expected_replacements says; include enough lines around it.',
        parameters: {
          ...only('file_path', 'old_string', 'new_string').parameters,
          expected_replacements: {
            is: 'replace_all',
            schema: {
              type: 'integer',
              minimum: 1,
              default: 1,
              description: 'How many occurrences there are to replace. Default 1.',
            },
            convert: (count) => (typeof count === 'number' && count > 1 ? true : undefined),
          },
        },
        check: replacementsAsExpected,
      },
      asked: {
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
    },
  },
  shell: {
    anthropic: {
      asked: { parameters: { command: {}, description: {}, timeout: { is: 'timeout_ms' }, run_in_background: {} } },
    },
    gemini: {
      asked: {
        parameters: {
          command: {},
          description: {},
          dir_path: { is: 'working_dir' },
          is_background: { is: 'run_in_background' },
          timeout_ms: {},
        },
      },
    },
  },
  grep: {
    anthropic: {
      usual: only(
        'pattern',
        'path',
        'include',
        'file_type',
        'case_sensitive',
        'context_lines',
        'lines_before',
        'lines_after',
        'output_mode',
        'only_matching',
        'multiline',
        'head_limit',
        'offset',
      ),
      asked: {
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
          '-i': {
            ...flag('case_sensitive', 'Case does not count.'),
            convert: (on) => (on === true ? false : undefined),
          },
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
    openai: { usual: only('pattern', 'path', 'include') },
    gemini: {
      usual: only('pattern', 'path', 'include'),
      asked: { parameters: { pattern: {}, dir_path: { is: 'path' }, include: {} } },
    },
  },
  glob: {
    anthropic: { asked: only('pattern', 'path') },
    gemini: {
      usual: {
        parameters: {
          pattern: {
            convert: (pattern, args) =>
              typeof pattern === 'string' && args['case_sensitive'] !== true ? eitherCase(pattern) : pattern,
          },
          path: {},
          case_sensitive: {
            schema: { type: 'boolean', default: false, description: 'Whether case counts. Default false.' },
            convert: () => undefined,
          },
        },
      },
    },
  },
  list_dir: {
    anthropic: { usual: only('path', 'ignore') },
    gemini: { asked: { parameters: { dir_path: { is: 'path' }, ignore: {}, respect_git_ignore: {} } } },
  },
  view_image: {
    openai: {
      usual: {
        description: 'Shows an image file (PNG, JPEG, GIF or WebP).',
        parameters: { path: { is: 'file_path', schema: { description: 'The image.' } } },
        check: async ({ path }) =>
          typeof path === 'string' && !IMAGE.test(path)
            ? failure(`${path} is not named like an image: read it with read_file.`)
            : null,
      },
    },
  },
  todo_write: {
    openai: {
      usual: {
        description:
          'Writes the plan for work of several steps; it replaces the plan before. At most one step is in progress; mark steps completed as you go.',
        parameters: {
          explanation: {
            schema: { type: 'string', description: 'Why the plan changes, if it does.' },
            convert: () => undefined,
          },
          plan: { is: 'todos', schema: stepsOf('step'), convert: (list) => todosIn(list, 'step') },
        },
      },
    },
    gemini: {
      usual: {
        parameters: { todos: { schema: stepsOf('description'), convert: (list) => todosIn(list, 'description') } },
      },
    },
  },
};

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

function stepsOf(words: string): { readonly type: 'array'; readonly items: object; readonly description: string } {
  const status = { type: 'string', enum: ['pending', 'in_progress', 'completed'], description: 'How far it is.' };
  return {
    type: 'array',
    description: 'The whole list, in order.',
    items: {
      type: 'object',
      properties: { [words]: { type: 'string', description: 'The step in a few words.' }, status },
      required: [words, 'status'],
    },
  };
}
