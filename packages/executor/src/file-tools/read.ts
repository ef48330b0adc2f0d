import { defined } from '@attractor/base';
import { EnvironmentError } from '@attractor/system';
import type { ExecutionEnvironment } from '@attractor/agent';
import { optionalCount, requiredText, type Arguments } from './arguments.ts';

const DEFAULT_LINES = 2_000;
/** The limit of the numbered text. Whole lines beyond it are left out, so that the model can take the answer. */
const MAX_CHARS = 40_000;

/** `total_lines` is null if the file is too large to count. */
export type FileRead = {
  readonly content: string;
  readonly total_lines: number | null;
  readonly truncated: boolean;
};

export async function readFile(
  args: Arguments,
  env: ExecutionEnvironment,
  signal: AbortSignal | undefined,
): Promise<FileRead> {
  const path = requiredText(args, 'path');
  const offset = optionalCount(args, 'offset', 0) ?? 0;
  const limit = optionalCount(args, 'limit', 1) ?? DEFAULT_LINES;
  const options = defined({ signal });
  const shown = fitting(await env.readFile(path, offset, limit, options));
  const total = await countLines(env, path, signal);
  const lines = shown === '' ? 0 : shown.split('\n').length;
  return { content: shown, total_lines: total, truncated: offset > 0 || total === null || lines < total };
}

function fitting(content: string): string {
  if (content.length <= MAX_CHARS) return content;
  const end = content.lastIndexOf('\n', MAX_CHARS);
  return end > 0
    ? content.slice(0, end)
    : content.slice(0, content.indexOf('\n') < 0 ? undefined : content.indexOf('\n'));
}

async function countLines(
  env: ExecutionEnvironment,
  path: string,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  try {
    const bytes = await env.readBytes(path, defined({ signal }));
    let lines = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
    return bytes.length > 0 && bytes.at(-1) !== 10 ? lines + 1 : lines;
  } catch (error) {
    if (error instanceof EnvironmentError && error.code === 'too_large') return null;
    throw error;
  }
}
