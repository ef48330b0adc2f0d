import { OPENAI_PROMPT } from '../prompts/openai.ts';
import { createApplyPatchTool } from '../tools/apply-patch.ts';
import { createGlobTool } from '../tools/glob.ts';
import { createGrepTool } from '../tools/grep.ts';
import { createReadFileTool } from '../tools/read-file.ts';
import { createWriteFileTool } from '../tools/write-file.ts';
import type { ProviderProfile } from '../types/index.ts';
import { createCommandTool } from './command-tool.ts';
import { defineProfile } from './define.ts';
import type { ProfileOptions } from './ports.ts';

const COMMAND_TIMEOUT_MS = 10_000;

/** For models that like patches: one tool changes, moves and deletes, another makes new files. */
export function createOpenAiProfile(options: ProfileOptions = {}): ProviderProfile {
  return defineProfile(
    {
      id: 'openai',
      displayName: 'OpenAI (codex-rs)',
      defaultModel: 'o4-mini',
      projectDocFiles: ['AGENTS.md', '.codex/instructions.md'],
      defaultCommandTimeout: COMMAND_TIMEOUT_MS,
      prompt: OPENAI_PROMPT,
      tools: [
        [createReadFileTool({ offsetBase: 1 }), null],
        [createApplyPatchTool(), null],
        [
          createWriteFileTool(),
          {
            description: 'Writes a new file, making missing folders. To change an existing file use apply_patch.',
            parameters: { file_path: {}, content: {} },
          },
        ],
        [createCommandTool(COMMAND_TIMEOUT_MS, options.ports), null],
        [createGrepTool(), { parameters: { pattern: {}, path: {}, include: {} } }],
        [createGlobTool(), null],
      ],
    },
    options,
  );
}
