import { defined } from '@attractor/base';
import type { GrepOptions, GrepOutput, RegisteredTool, ToolExecutor } from '../types/index.ts';
import { answering, optionalNumber, optionalText, requiredText, type Arguments } from './arguments.ts';

const AROUND = { type: 'integer', minimum: 0, maximum: 50 };

/** `grep`: lines that match a regular expression, as `path:line:text`. */
export function createGrepTool(): RegisteredTool {
  return {
    definition: {
      name: 'grep',
      description: 'Searches file contents for a regular expression and shows matches as path:line:text.',
      parameters: { type: 'object', properties: PROPERTIES, required: ['pattern'], additionalProperties: false },
    },
    executor: grepExecutor,
    readOnly: true,
  };
}

const PROPERTIES = {
  pattern: { type: 'string', description: 'The regular expression.' },
  path: { type: 'string', description: 'The file or folder to search; default: the working directory.' },
  include: { type: 'string', description: 'Only files that match this glob, for example "*.ts".' },
  file_type: { type: 'string', description: 'Only files of this kind, for example "ts", "py", "rust", "md".' },
  case_sensitive: { type: 'boolean', description: 'Default true.' },
  max_results: { type: 'integer', minimum: 1, description: 'At most this many matches.' },
  context_lines: { ...AROUND, description: 'Lines to show around each match.' },
  lines_before: { ...AROUND, description: 'Lines to show before each match.' },
  lines_after: { ...AROUND, description: 'Lines to show after each match.' },
  output_mode: {
    type: 'string',
    enum: ['content', 'files_with_matches', 'count'],
    description: 'Matching lines (the default), only the paths of files that match, or how often each file matches.',
  },
  only_matching: { type: 'boolean', description: 'Show only the part of each line that matches.' },
  multiline: { type: 'boolean', description: 'Let matches go over line ends; "." then matches them too.' },
  line_numbers: { type: 'boolean', description: 'Show line numbers. Default true.' },
  head_limit: { type: 'integer', minimum: 1, description: 'Show only so many lines of the result.' },
  offset: { type: 'integer', minimum: 0, description: 'Leave out so many lines of the result first.' },
};

const OUTPUTS: Readonly<Record<string, GrepOutput>> = { files_with_matches: 'files', count: 'count' };

/** What `grep` does, for a tool of another name or shape. */
export const grepExecutor: ToolExecutor = answering(async (args, env, context) => {
  const signal = defined({ signal: context?.signal });
  const options: GrepOptions = { ...optionsOf(args), ...signal };
  const found = await env.grep(requiredText(args, 'pattern'), optionalText(args, 'path') ?? '.', options);
  return found === '' ? 'No matches found.' : pageOf(found, args);
});

function optionsOf(args: Arguments): GrepOptions {
  const output = OUTPUTS[optionalText(args, 'output_mode') ?? ''];
  const options = {
    caseSensitive: args['case_sensitive'] === false ? false : undefined,
    includePattern: optionalText(args, 'include'),
    fileType: optionalText(args, 'file_type'),
    maxResults: optionalNumber(args, 'max_results'),
    contextLines: optionalNumber(args, 'context_lines'),
    linesBefore: optionalNumber(args, 'lines_before'),
    linesAfter: optionalNumber(args, 'lines_after'),
    output,
    onlyMatching: args['only_matching'] === true ? true : undefined,
    multiline: args['multiline'] === true ? true : undefined,
    withoutNumbers: args['line_numbers'] === false ? true : undefined,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** A part of a long result, with the total. */
function pageOf(found: string, args: Arguments): string {
  const offset = optionalNumber(args, 'offset') ?? 0;
  const limit = optionalNumber(args, 'head_limit') ?? Infinity;
  if (offset === 0 && limit === Infinity) return found;
  const lines = found.split('\n');
  const shown = lines.slice(offset, offset + limit);
  if (shown.length === 0) return `The result has only ${lines.length} lines.`;
  const left = lines.length - offset - shown.length;
  return [...shown, ...(left > 0 ? [`[${left} more lines; the next offset is ${offset + shown.length}.]`] : [])].join(
    '\n',
  );
}
