import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ATTRACTOR = join(import.meta.dirname, '../../packages/cli/dist/attractor.js');
export const BARE = join(import.meta.dirname, 'bare.mjs');

if (!existsSync(ATTRACTOR)) {
  console.error('The command is not built. Run `npm run build` first.');
  process.exit(1);
}

const home = await mkdtemp(join(tmpdir(), 'attractor-bench-'));

export const ENV = {
  HOME: home,
  PATH: '/usr/bin:/bin',
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  ANTHROPIC_API_KEY: 'sk-bench',
};

/** What was typed in a folder when a program was killed would be there again. */
export function newFolder(): Promise<string> {
  return mkdtemp(join(home, 'work-'));
}

export function leave(): Promise<void> {
  return rm(home, { recursive: true, force: true, maxRetries: 5 });
}

export function flagsFor(baseUrl: string): ReadonlyArray<string> {
  return ['--model', 'claude-sonnet-4-5', '--base-url', baseUrl, '--allow-unsandboxed'];
}
