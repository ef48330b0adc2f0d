import { ANTHROPIC_PROMPT } from '../prompts/anthropic.ts';
import { createEditFileTool } from '../tools/edit-file.ts';
import { createGlobTool } from '../tools/glob.ts';
import { createGrepTool } from '../tools/grep.ts';
import { createReadFileTool } from '../tools/read-file.ts';
import { createShellTool } from '../tools/shell.ts';
import { createWriteFileTool } from '../tools/write-file.ts';
import type { ProviderProfile } from '../types/index.ts';
import { defineProfile } from './define.ts';
import { showAs, type SurfaceParameter } from './surface.ts';

const COMMAND_TIMEOUT_MS = 120_000;

const ABSOLUTE_PATH: SurfaceParameter = { schema: { type: 'string', description: 'The absolute path of the file.' } };

/** For models that like exact string edits and absolute paths. */
export function createAnthropicProfile(): ProviderProfile {
  return defineProfile({
    id: 'anthropic',
    displayName: 'Anthropic (Claude Code)',
    defaultModel: 'claude-sonnet-4-5-20250929',
    projectDocFiles: ['AGENTS.md', 'CLAUDE.md'],
    defaultCommandTimeout: COMMAND_TIMEOUT_MS,
    prompt: ANTHROPIC_PROMPT,
    tools: [
      showAs(createReadFileTool({ offsetBase: 1 }), {
        parameters: { file_path: ABSOLUTE_PATH, offset: {}, limit: {} },
      }),
      showAs(createEditFileTool(), {
        parameters: { file_path: ABSOLUTE_PATH, old_string: {}, new_string: {}, replace_all: {} },
      }),
      showAs(createWriteFileTool(), { parameters: { file_path: ABSOLUTE_PATH, content: {} } }),
      createShellTool({ defaultTimeoutMs: COMMAND_TIMEOUT_MS }),
      showAs(createGrepTool(), {
        parameters: { pattern: {}, path: {}, include: {}, case_sensitive: {}, context_lines: {} },
      }),
      createGlobTool(),
    ],
  });
}
