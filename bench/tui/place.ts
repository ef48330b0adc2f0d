import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

export async function leave(): Promise<void> {
  endLeftovers();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}

/** Some programs leave a server behind that they installed in their home. */
function endLeftovers(): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(home)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
}

export function flagsFor(baseUrl: string): ReadonlyArray<string> {
  return ['--model', 'claude-sonnet-4-5', '--base-url', baseUrl, '--allow-unsandboxed'];
}
