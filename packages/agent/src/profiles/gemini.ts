import { GEMINI_PROMPT } from '../prompts/gemini.ts';
import { createEditFileTool } from '../tools/edit-file.ts';
import { createGlobTool } from '../tools/glob.ts';
import { createGrepTool } from '../tools/grep.ts';
import { createListDirTool } from '../tools/list-dir.ts';
import { createReadFileTool } from '../tools/read-file.ts';
import { createWriteFileTool } from '../tools/write-file.ts';
import type { ProviderProfile } from '../types/index.ts';
import { eitherCase } from './either-case.ts';
import { createCommandTool } from './command-tool.ts';
import { defineProfile } from './define.ts';
import { replacementsAsExpected } from './expected-replacements.ts';
import type { ProfileOptions } from './ports.ts';
import type { ToolSurface } from './surface.ts';

const COMMAND_TIMEOUT_MS = 10_000;

const EDIT: ToolSurface = {
  description:
    'Replaces exact text in a file. old_string must occur exactly once, or exactly as often as expected_replacements says; include enough lines around it.',
  parameters: {
    file_path: {},
    old_string: {},
    new_string: {},
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
};

const GLOB: ToolSurface = {
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
};

/** For models that like a stated number of replacements, offsets from 0, and to look around. */
export function createGeminiProfile(options: ProfileOptions = {}): ProviderProfile {
  return defineProfile(
    {
      id: 'gemini',
      displayName: 'Gemini (gemini-cli)',
      defaultModel: 'gemini-2.5-pro',
      projectDocFiles: ['AGENTS.md', 'GEMINI.md'],
      defaultCommandTimeout: COMMAND_TIMEOUT_MS,
      prompt: GEMINI_PROMPT,
      tools: [
        [
          createReadFileTool({ offsetBase: 0 }),
          { parameters: { path: { is: 'file_path' }, offset: {}, limit: {}, pages: {} } },
        ],
        [createEditFileTool(), EDIT],
        [createWriteFileTool(), null],
        [createCommandTool(COMMAND_TIMEOUT_MS, options.ports), null],
        [createGrepTool(), { parameters: { pattern: {}, path: {}, include: {} } }],
        [createGlobTool(), GLOB],
        [createListDirTool(), null],
      ],
    },
    options,
  );
}
