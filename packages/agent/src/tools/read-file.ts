import { defined } from '@attractor/base';
import type { RegisteredTool, ToolExecutor } from '../types/index.ts';
import { answering, optionalNumber, optionalText, requiredText } from './arguments.ts';
import { readDocument } from './documents/read-document.ts';
import { readImage } from './read-image.ts';
import { rememberFile } from './seen-files.ts';

export type ReadFileToolOptions = {
  /** What `offset` counts from in the schema that the model sees; the environment counts from 0. */
  readonly offsetBase?: 0 | 1;
};

/** `read_file`: text as numbered lines, an image as an image, a PDF as its text. */
export function createReadFileTool({ offsetBase = 0 }: ReadFileToolOptions = {}): RegisteredTool {
  return {
    definition: {
      name: 'read_file',
      description:
        'Reads a text file and shows it with line numbers; shows an image, the text of a PDF, the cells of a notebook. Use offset and limit for parts of a long file.',
      parameters: {
        type: 'object',
        properties: {
          file_path: { type: 'string', description: 'The file to read.' },
          offset: {
            type: 'integer',
            minimum: offsetBase,
            description: `The first line to show, counted from ${offsetBase}.`,
          },
          limit: { type: 'integer', minimum: 1, description: 'How many lines to show.' },
          pages: {
            type: 'string',
            description: 'Of a PDF: which pages, for example "3" or "1-5"; at most 20 at once.',
          },
        },
        required: ['file_path'],
        additionalProperties: false,
      },
    },
    executor: readFileExecutor({ offsetBase }),
    readOnly: true,
  };
}

/** What `read_file` does, for a tool of another name or shape. */
export function readFileExecutor({ offsetBase = 0 }: ReadFileToolOptions = {}): ToolExecutor {
  return answering(async (args, env, context) => {
    const file = requiredText(args, 'file_path');
    const first = optionalNumber(args, 'offset');
    const offset = first === undefined ? undefined : Math.max(0, first - offsetBase);
    await rememberFile(env, file);
    const image = await readImage(env, file, signalOf(context));
    if (image !== null) return image;
    const document = await readDocument(env, file, { pages: optionalText(args, 'pages'), ...signalOf(context) });
    if (document !== null) return document;
    return env.readFile(file, offset, optionalNumber(args, 'limit'), signalOf(context));
  });
}

function signalOf(context: { readonly signal?: AbortSignal } | undefined): { readonly signal?: AbortSignal } {
  return defined({ signal: context?.signal });
}
