import { defined } from '@attractor/base';
import type { RegisteredTool, ToolExecutor } from '../types/index.ts';
import { answering, optionalText, requiredText } from './arguments.ts';

/** `glob`: paths that match a pattern, one per line. */
export function createGlobTool(): RegisteredTool {
  return {
    definition: {
      name: 'glob',
      description: 'Finds files by a glob pattern such as "src/**/*.ts" and shows their paths, one a line.',
      parameters: {
        type: 'object',
        properties: {
          pattern: { type: 'string', description: 'The glob pattern, relative to path.' },
          path: { type: 'string', description: 'The folder to search; default: the working directory.' },
        },
        required: ['pattern'],
        additionalProperties: false,
      },
    },
    executor: globExecutor,
    readOnly: true,
  };
}

/** What `glob` does, for a tool of another name or shape. */
export const globExecutor: ToolExecutor = answering(async (args, env, context) => {
  const signal = defined({ signal: context?.signal });
  const found = await env.glob(requiredText(args, 'pattern'), optionalText(args, 'path') ?? '.', signal);
  return found.length === 0 ? 'No files found.' : found.join('\n');
});
