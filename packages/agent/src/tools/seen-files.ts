import path from 'node:path';
import type { ExecutionEnvironment } from '../types/index.ts';

/** By environment: the version of each file as the model last saw or wrote it. */
const seen = new WeakMap<ExecutionEnvironment, Map<string, string>>();

/** Remembers that the model has seen the file as it is now. Environments without versions remember nothing. */
export async function rememberFile(env: ExecutionEnvironment, file: string): Promise<void> {
  const version = (await env.fileVersion?.(file)) ?? null;
  if (version === null) return;
  const files = seen.get(env) ?? new Map<string, string>();
  seen.set(env, files.set(keyOf(env, file), version));
}

/** The version the model knows; undefined when it never saw the file. */
export function knownVersion(env: ExecutionEnvironment, file: string): string | undefined {
  return seen.get(env)?.get(keyOf(env, file));
}

function keyOf(env: ExecutionEnvironment, file: string): string {
  return path.resolve(env.workingDirectory(), file);
}
