import { defined } from '@attractor/base';
import type { RegisteredTool, ToolExecutor } from '../types/index.ts';
import { answering, failure, requiredText } from './arguments.ts';
import { knownVersion, rememberWritten } from './seen-files.ts';

/** `write_file`: a whole file, replaced at once, with the folders above it. */
export function createWriteFileTool(): RegisteredTool {
  return {
    definition: {
      name: 'write_file',
      description: 'Writes a whole file, making missing folders. An existing file is replaced.',
      parameters: {
        type: 'object',
        properties: {
          file_path: { type: 'string', description: 'The file to write.' },
          content: { type: 'string', description: 'Its whole new content.' },
        },
        required: ['file_path', 'content'],
        additionalProperties: false,
      },
    },
    executor: writeFileExecutor,
    serial: true,
  };
}

/** Refused when the model saw the file before and it changed since: what it would overwrite is not what it knows. */
export const writeFileExecutor: ToolExecutor = answering(async (args, env) => {
  const file = requiredText(args, 'file_path');
  const content = requiredText(args, 'content');
  if (!content.isWellFormed()) return failure(`${file} was not written: the content is not valid Unicode text.`);
  const expectedVersion = (await env.fileExists(file)) ? knownVersion(env, file) : undefined;
  await env.writeFile(file, content, defined({ expectedVersion }));
  const warning = await rememberWritten(env, file, content);
  return `Wrote ${Buffer.byteLength(content)} bytes to ${file}${warning}`;
});
