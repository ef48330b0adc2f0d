import { spawn } from 'node:child_process';
import path from 'node:path';
import { compileCache } from '@attractor/base/testing';
import { onTestFinished } from 'vitest';

export type Measured = {
  readonly grownBytes: number;
  readonly length?: number;
  readonly start?: string;
  readonly end?: string;
};

/** What is not needed any more is given back before this much is taken, also where the collector's own threads get no turn. */
const HEAP = '--max-old-space-size=192';

/** Runs `memory-child.ts` on a folder that holds a `warm.txt`. */
export async function measure(root: string, words: ReadonlyArray<string>): Promise<Measured> {
  const program = path.join(import.meta.dirname, 'memory-child.ts');
  const child = spawn(process.execPath, [HEAP, program, root, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...compileCache() },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for await (const piece of child.stdout.setEncoding('utf8')) text += String(piece);
  return JSON.parse(text);
}
