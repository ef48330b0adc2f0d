import { lstatSync } from 'node:fs';
import nodePath from 'node:path';
import { defined } from '@attractor/base';
import type { ExecutionEnvironment } from '@attractor/agent';
import { optionalText, type Arguments } from './arguments.ts';

const MAX_FILES = 2_000;

export type ListedFile = { readonly path: string; readonly size: number; readonly modified: string };

export type FileList = { readonly files: ReadonlyArray<ListedFile>; readonly truncated: boolean };

/** Lists the folder, with a slash after each folder's name, or, given a pattern, the files that match. Paths are relative to the workspace. */
export async function listFiles(
  args: Arguments,
  env: ExecutionEnvironment,
  signal: AbortSignal | undefined,
): Promise<FileList> {
  const folder = optionalText(args, 'path') ?? '.';
  const pattern = optionalText(args, 'pattern');
  const found =
    pattern === undefined ? await entriesOf(env, folder) : await env.glob(pattern, folder, defined({ signal }));
  const files = found.slice(0, MAX_FILES).flatMap((path) => describe(env.workingDirectory(), path));
  return { files, truncated: found.length > MAX_FILES };
}

async function entriesOf(env: ExecutionEnvironment, folder: string): Promise<ReadonlyArray<string>> {
  const root = env.workingDirectory();
  const base = nodePath.relative(root, nodePath.resolve(root, folder));
  const entries = await env.listDirectory(folder, 1);
  return entries.map(({ name, isDir }) => nodePath.join(base, name) + (isDir ? '/' : ''));
}

/** Empty if the entry is gone. Links are not followed. */
function describe(root: string, path: string): ReadonlyArray<ListedFile> {
  const stats = lstatSync(nodePath.join(root, path.replace(/\/$/, '')), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return [{ path, size: stats.isFile() ? stats.size : 0, modified: stats.mtime.toISOString() }];
}
