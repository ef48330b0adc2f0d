import type { RegisteredTool, ToolExecutor } from '../types/index.ts';
import { answering, requiredText } from './arguments.ts';
import { knownVersion, rememberFile } from './seen-files.ts';

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
  const expectedVersion = knownVersion(env, file);
  await env.writeFile(file, content, expectedVersion === undefined ? {} : { expectedVersion });
  await rememberFile(env, file);
  return `Wrote ${Buffer.byteLength(content)} bytes to ${file}`;
});
