import { isRecord } from '@attractor/base';
import { readSource } from '../settings/read-source.ts';
import { repositorySources } from '../settings/repository-files.ts';
import type { ExecutableFile } from './read-executable-files.ts';

/** The texts of all hooks and servers that the settings files of a repository define: command lines, words of programs, and the rest. */
export function configuredCommands(root: string, files: ReadonlyArray<ExecutableFile>): ReadonlyArray<string> {
  const { sources } = repositorySources({ root, files }, new Set());
  return sources
    .flatMap((source) => readSource(source).entries)
    .filter(({ name }) => name === 'hooks' || name === 'mcpServers')
    .flatMap(({ value }) => textsIn(value));
}

/** Words that are apart in a list are apart in the text too; together they are looked at as one command. */
function textsIn(value: unknown): ReadonlyArray<string> {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
