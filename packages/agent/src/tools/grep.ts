import type { GrepOptions, RegisteredTool, ToolExecutor } from '../types/index.ts';
import { answering, optionalNumber, optionalText, requiredText } from './arguments.ts';

export function createGrepTool(): RegisteredTool {
  return {
    definition: {
      name: 'grep',
      description: 'Searches file contents for a regular expression and shows matches as path:line:text.',
      parameters: {
        type: 'object',
        properties: {
          pattern: { type: 'string', description: 'The regular expression.' },
          path: { type: 'string', description: 'The file or folder to search; default: the working directory.' },
          include: { type: 'string', description: 'Only files that match this glob, for example "*.ts".' },
          case_sensitive: { type: 'boolean', description: 'Default true.' },
          max_results: { type: 'integer', minimum: 1, description: 'At most this many matches.' },
          context_lines: { type: 'integer', minimum: 0, maximum: 50, description: 'Lines to show around each match.' },
        },
        required: ['pattern'],
        additionalProperties: false,
      },
    },
    executor: grepExecutor,
    readOnly: true,
  };
}

export const grepExecutor: ToolExecutor = answering(async (args, env, context) => {
  const includePattern = optionalText(args, 'include');
  const maxResults = optionalNumber(args, 'max_results');
  const contextLines = optionalNumber(args, 'context_lines');
  const options: GrepOptions = {
    ...(args['case_sensitive'] === false ? { caseSensitive: false } : {}),
    ...(includePattern === undefined ? {} : { includePattern }),
    ...(maxResults === undefined ? {} : { maxResults }),
    ...(contextLines === undefined ? {} : { contextLines }),
    ...(context?.signal === undefined ? {} : { signal: context.signal }),
  };
  const found = await env.grep(requiredText(args, 'pattern'), optionalText(args, 'path') ?? '.', options);
  return found === '' ? 'No matches found.' : found;
});
