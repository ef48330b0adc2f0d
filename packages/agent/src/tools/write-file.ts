import { defined } from '@attractor/base';
import type { RegisteredTool, ToolExecutor } from '../types/index.ts';
import { answering, failure, requiredText } from './arguments.ts';
import { knownVersion, rememberWritten } from './seen-files.ts';

/** `write_file`: writes a whole file atomically, and creates its folders. */
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

/** Refused if the file changed since the model last saw it: the model would overwrite content it does not know. */
export const writeFileExecutor: ToolExecutor = answering(async (args, env) => {
  const file = requiredText(args, 'file_path');
  const content = requiredText(args, 'content');
  if (!content.isWellFormed()) return failure(`${file} was not written: the content is not valid Unicode text.`);
  const expectedVersion = (await env.fileExists(file)) ? knownVersion(env, file) : undefined;
  await env.writeFile(file, content, defined({ expectedVersion }));
  const warning = await rememberWritten(env, file, content);
  return `Wrote ${Buffer.byteLength(content)} bytes to ${file}${warning}`;
});
