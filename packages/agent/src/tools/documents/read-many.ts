import type { ExecutionEnvironment, RegisteredTool } from '../../types/index.ts';
import { EnvironmentError } from '../../types/index.ts';
import { answering, type Arguments } from '../arguments.ts';
import { rememberFile } from '../seen-files.ts';

const MAX_FILES = 50;
const MAX_CHARS = 200_000;
const MAX_CHARS_OF_ONE = 50_000;
const GLOB = /[*?[\]{}!]/;

const PATTERNS = { type: 'array', items: { type: 'string', minLength: 1 } };

/** `read_many_files`: the text of all files that match the given paths and patterns. */
export function createReadManyFilesTool(): RegisteredTool {
  return {
    definition: {
      name: 'read_many_files',
      description: `Shows the text of several files at once, by paths, folders and glob patterns: at most ${MAX_FILES} files and ${MAX_CHARS} characters.`,
      parameters: {
        type: 'object',
        properties: {
          paths: {
            ...PATTERNS,
            minItems: 1,
            description: 'Paths, folders or globs, for example ["README.md", "src/**/*.ts"].',
          },
          exclude: { ...PATTERNS, description: 'Globs of files to leave out.' },
        },
        required: ['paths'],
        additionalProperties: false,
      },
    },
    executor: answering(async (args, env, context) => {
      const files = await filesOf(args, env);
      if (files.length === 0) return 'No files found.';
      const texts: string[] = [];
      let room = MAX_CHARS;
      for (const file of files.slice(0, MAX_FILES)) {
        context?.signal?.throwIfAborted();
        if (room <= 0) break;
        const text = await textOf(env, file, Math.min(room, MAX_CHARS_OF_ONE));
        room -= text.length;
        texts.push(`--- ${file} ---\n${text}`);
      }
      const left = files.slice(texts.length);
      const note =
        left.length === 0 ? [] : [`[${left.length} more files are not shown, the next is ${left[0]}: ask for less.]`];
      return [...texts, ...note].join('\n\n');
    }),
    readOnly: true,
  };
}

async function filesOf(args: Arguments, env: ExecutionEnvironment): Promise<ReadonlyArray<string>> {
  const found = new Set<string>();
  for (const asked of texts(args['paths'])) {
    for (const file of await matching(env, asked)) found.add(file);
  }
  for (const pattern of texts(args['exclude'])) {
    for (const file of await env.glob(pattern, '.')) found.delete(file);
  }
  return [...found];
}

async function matching(env: ExecutionEnvironment, asked: string): Promise<ReadonlyArray<string>> {
  if (GLOB.test(asked) && !(await env.fileExists(asked))) return env.glob(asked, '.');
  return (await isFolder(env, asked)) ? env.glob('**/*', asked) : [asked];
}

async function isFolder(env: ExecutionEnvironment, asked: string): Promise<boolean> {
  try {
    await env.listDirectory(asked);
    return true;
  } catch (error) {
    if (error instanceof EnvironmentError) return false;
    throw error;
  }
}

/** A file that can't be read is reported in its place; the others are still shown. */
async function textOf(env: ExecutionEnvironment, file: string, room: number): Promise<string> {
  try {
    await rememberFile(env, file);
    const text = await env.readFile(file);
    return text.length <= room ? text : `${text.slice(0, room)}\n[cut: ${text.length - room} more characters]`;
  } catch (error) {
    if (error instanceof EnvironmentError) return `[not shown: ${error.message}]`;
    throw error;
  }
}

function texts(value: unknown): ReadonlyArray<string> {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
