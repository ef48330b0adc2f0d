import { ANTHROPIC_PROMPT } from '../prompts/anthropic.ts';
import { createEditFileTool } from '../tools/edit-file.ts';
import { createGlobTool } from '../tools/glob.ts';
import { createGrepTool } from '../tools/grep.ts';
import { createReadFileTool } from '../tools/read-file.ts';
import { createWriteFileTool } from '../tools/write-file.ts';
import type { ProviderProfile } from '../types/index.ts';
import { createCommandTool } from './command-tool.ts';
import { defineProfile } from './define.ts';
import type { ProfileOptions } from './ports.ts';
import type { SurfaceParameter, ToolSurface } from './surface.ts';

const COMMAND_TIMEOUT_MS = 120_000;

const ABSOLUTE_PATH: SurfaceParameter = { schema: { type: 'string', description: 'The absolute path of the file.' } };

const GREP: ToolSurface = {
  parameters: {
    pattern: {},
    path: {},
    include: {},
    file_type: {},
    case_sensitive: {},
    context_lines: {},
    lines_before: {},
    lines_after: {},
    output_mode: {},
    only_matching: {},
    multiline: {},
    head_limit: {},
    offset: {},
  },
};

/** For models that like exact string edits and absolute paths. */
export function createAnthropicProfile(options: ProfileOptions = {}): ProviderProfile {
  return defineProfile(
    {
      id: 'anthropic',
      displayName: 'Anthropic (Claude Code)',
      defaultModel: 'claude-sonnet-4-5-20250929',
      projectDocFiles: ['AGENTS.md', 'CLAUDE.md'],
      defaultCommandTimeout: COMMAND_TIMEOUT_MS,
      prompt: ANTHROPIC_PROMPT,
      tools: [
        [
          createReadFileTool({ offsetBase: 1 }),
          { parameters: { file_path: ABSOLUTE_PATH, offset: {}, limit: {}, pages: {} } },
        ],
        [
          createEditFileTool(),
          { parameters: { file_path: ABSOLUTE_PATH, old_string: {}, new_string: {}, replace_all: {} } },
        ],
        [createWriteFileTool(), { parameters: { file_path: ABSOLUTE_PATH, content: {} } }],
        [createCommandTool(COMMAND_TIMEOUT_MS, options.ports), null],
        [createGrepTool(), GREP],
        [createGlobTool(), null],
      ],
    },
    options,
  );
}
