import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { leftRunning } from './left-running.ts';

const LARGE_PAGES = 'glibc.malloc.hugetlb=1';

/**
 * The run has its own temporary folder, which is removed with it, whatever a test or a killed process left there. Its name is short because
 * sockets are created below it, and everybody may enter it because PostgreSQL runs as another user.
 * Programs that tests start from their sources share compiled code there (`compileCache`): a start takes half the time.
 * Workers have their memory in large pages where the system offers them: starting a process copies the table of its parent's pages.
 */
export function setup(): () => Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'at-')));
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  // At their end workers would write down all that they ever compiled, for seconds, and nobody would read it.
  delete process.env['NODE_COMPILE_CACHE'];
  process.env['GLIBC_TUNABLES'] ??= LARGE_PAGES;
  return async () => {
    await endLeftRunning(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

const GOODBYE_MS = 1_000;

/** They would work on for ever in a folder that is gone. What ends with its worker is given the moment that it takes. */
async function endLeftRunning(folder: string): Promise<void> {
  const deadline = performance.now() + GOODBYE_MS;
  while (performance.now() < deadline && leftRunning(folder).length > 0) await sleep(50);
  for (const { pid, line } of leftRunning(folder)) {
    process.stderr.write(`left running by a test, and ended: ${line}\n`);
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself meanwhile.
    }
  }
}
