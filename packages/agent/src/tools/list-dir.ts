import path from 'node:path';
import type { DirEntry, ExecutionEnvironment, RegisteredTool, ToolExecutor } from '../types/index.ts';
import { type IgnoreFile, isIgnored, parseIgnoreFile } from '@attractor/files';
import { answering, requiredText } from './arguments.ts';

const MAX_ENTRIES = 500;

/** `list_dir`: the entries of a folder, one per line: folders end with /, files have their size. */
export function createListDirTool(): RegisteredTool {
  return {
    definition: {
      name: 'list_dir',
      description:
        'Lists a folder, one entry a line: folders end in "/", files are shown with their size. What git ignores is left out.',
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'The folder to list.' },
          ignore: {
            type: 'array',
            items: { type: 'string' },
            description: 'Glob patterns of entries to leave out, for example ["*.log", "dist"].',
          },
          respect_git_ignore: { type: 'boolean', description: 'Leave out what .gitignore names.', default: true },
        },
        required: ['path'],
        additionalProperties: false,
      },
    },
    executor: listDirExecutor,
    readOnly: true,
  };
}

/** What `list_dir` does, for a tool of another name or shape. */
export const listDirExecutor: ToolExecutor = answering(async (args, env) => {
  const asked = requiredText(args, 'path');
  const entries = await env.listDirectory(asked);
  const hidden = await hiddenIn(env, asked, args);
  const shown = entries.filter((entry) => !hidden(entry));
  if (shown.length === 0)
    return entries.length === 0 ? 'The folder is empty.' : 'Every entry of the folder is ignored.';
  const more = shown.length - MAX_ENTRIES;
  return [
    ...shown.slice(0, MAX_ENTRIES).map(describe),
    ...(more > 0 ? [`[${more} more entries are not shown: list a subfolder or use glob.]`] : []),
  ].join('\n');
});

async function hiddenIn(
  env: ExecutionEnvironment,
  asked: string,
  args: Readonly<Record<string, unknown>>,
): Promise<(entry: DirEntry) => boolean> {
  const folder = path.relative(env.workingDirectory(), path.resolve(env.workingDirectory(), asked));
  const patterns = Array.isArray(args['ignore']) ? args['ignore'].filter((one) => typeof one === 'string') : [];
  const own = parseIgnoreFile(folder, patterns.map(escaped).join('\n'));
  const git = args['respect_git_ignore'] === false ? [] : await gitIgnoreFiles(env, folder);
  return ({ name, isDir }) => {
    const kind = isDir ? 'folder' : 'file';
    const entry = path.join(folder, name);
    return isIgnored([own], entry, kind) || (git.length > 0 && (name === '.git' || isIgnored(git, entry, kind)));
  };
}

/** A pattern from the model is a plain glob: no comment, no negation. */
function escaped(pattern: string): string {
  return /^[#!]/.test(pattern) ? `\\${pattern}` : pattern;
}

/** For the working directory and each folder down to the listed one. */
async function gitIgnoreFiles(env: ExecutionEnvironment, folder: string): Promise<ReadonlyArray<IgnoreFile>> {
  const names = folder === '' ? [] : folder.split('/');
  const folders = ['', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
  return Promise.all(
    folders.map(async (one) => parseIgnoreFile(one, await textOrNothing(env, path.join(one, '.gitignore')))),
  );
}

async function textOrNothing(env: ExecutionEnvironment, file: string): Promise<string> {
  try {
    return await env.readText(file);
  } catch {
    return '';
  }
}

function describe({ name, isDir, size }: DirEntry): string {
  const shown = /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
  if (isDir) return `${shown}/`;
  return size === null ? shown : `${shown} (${size} bytes)`;
}
