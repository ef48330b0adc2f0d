import { spawn } from 'node:child_process';
import path from 'node:path';
import { onTestFinished } from 'vitest';

export type Measured = {
  readonly grownBytes: number;
  readonly length?: number;
  readonly start?: string;
  readonly end?: string;
};

/** Runs `memory-child.ts` on a folder that holds a `warm.txt`. */
export async function measure(root: string, words: ReadonlyArray<string>): Promise<Measured> {
  const program = path.join(import.meta.dirname, 'memory-child.ts');
  const child = spawn(process.execPath, [program, root, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for await (const piece of child.stdout.setEncoding('utf8')) text += String(piece);
  return JSON.parse(text);
}
