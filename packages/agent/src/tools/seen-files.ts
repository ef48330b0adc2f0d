import path from 'node:path';
import type { ExecutionEnvironment } from '../types/index.ts';

/** By environment: the version of each file as the model last saw or wrote it. */
const seen = new WeakMap<ExecutionEnvironment, Map<string, string>>();

/** Remembers that the model has seen the current file, or that it is gone. Environments without versions remember nothing. */
export async function rememberFile(env: ExecutionEnvironment, file: string): Promise<void> {
  remember(env, file, (await env.fileVersion?.(file)) ?? null);
}

/**
 * Remembers the file as the model wrote it. If something else, such as a formatter, changed it a moment later, the next change is refused,
 * because the model never saw that version; the returned text says so. It is empty if the file is as written.
 */
export async function rememberWritten(env: ExecutionEnvironment, file: string, content: string): Promise<string> {
  const version = (await env.fileVersion?.(file)) ?? null;
  const isAsWritten = (await textOrNull(env, file)) === content;
  if (version !== null) remember(env, file, isAsWritten ? version : UNSEEN);
  return isAsWritten ? '' : `\n${file} was changed by something else right after: read it before you change it again.`;
}

async function textOrNull(env: ExecutionEnvironment, file: string): Promise<string | null> {
  try {
    return await env.readText(file);
  } catch {
    return null;
  }
}

/** No file has this version. */
const UNSEEN = 'unseen';

/** The version the model knows; undefined if it never saw the file. */
export function knownVersion(env: ExecutionEnvironment, file: string): string | undefined {
  return seen.get(env)?.get(keyOf(env, file));
}

function remember(env: ExecutionEnvironment, file: string, version: string | null): void {
  const files = seen.get(env) ?? new Map<string, string>();
  if (version === null) files.delete(keyOf(env, file));
  else seen.set(env, files.set(keyOf(env, file), version));
}

function keyOf(env: ExecutionEnvironment, file: string): string {
  return path.resolve(env.workingDirectory(), file);
}
