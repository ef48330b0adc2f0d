import path from 'node:path';
import type { ExecutionEnvironment } from '../types/index.ts';

/** By environment: the version of each file as the model last saw or wrote it. */
const seen = new WeakMap<ExecutionEnvironment, Map<string, string>>();

/** Remembers that the model has seen the file as it is now, or that it is gone. Environments without versions remember nothing. */
export async function rememberFile(env: ExecutionEnvironment, file: string): Promise<void> {
  remember(env, file, (await env.fileVersion?.(file)) ?? null);
}

/** Remembers the file as the model wrote it. If somebody changed it a moment later, the next change is refused: the model never saw it. */
export async function rememberWritten(env: ExecutionEnvironment, file: string, content: string): Promise<void> {
  const version = (await env.fileVersion?.(file)) ?? null;
  if (version === null) return;
  try {
    remember(env, file, (await env.readText(file)) === content ? version : UNSEEN);
  } catch {
    remember(env, file, UNSEEN);
  }
}

/** No file has this version. */
const UNSEEN = 'unseen';

/** The version the model knows; undefined when it never saw the file. */
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
