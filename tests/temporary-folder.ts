import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { freemem, tmpdir } from 'node:os';
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
  const folder = newFolder(tmpdir());
  process.env['TMPDIR'] = folder;
  const inMemory = folderInMemory();
  if (inMemory !== null) process.env['MEMORY_FOLDER'] = inMemory;
  // At their end workers would write down all that they ever compiled, for seconds, and nobody would read it.
  delete process.env['NODE_COMPILE_CACHE'];
  process.env['GLIBC_TUNABLES'] ??= LARGE_PAGES;
  return async () => {
    for (const made of [folder, ...(inMemory === null ? [] : [inMemory])]) {
      await endLeftRunning(made);
      rmSync(made, { recursive: true, force: true, maxRetries: 5 });
    }
  };
}

function newFolder(parent: string): string {
  removeAbandoned(parent);
  const folder = realpathSync(mkdtempSync(join(parent, 'at-')));
  chmodSync(folder, 0o1777);
  writeFileSync(join(folder, OWNER), String(process.pid));
  return folder;
}

const SHARED_MEMORY = '/dev/shm';
const PLENTY = 4 * 2 ** 30;

/**
 * Tests write and remove hundreds of thousands of small files, which a disk syncs: in memory a test of repositories takes a sixth less of
 * CPU and half of the time. Null: there is not enough of it, or programs can't run from there.
 */
function folderInMemory(): string | null {
  if (!existsSync(SHARED_MEMORY)) return null;
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  if (Math.min(bavail * bsize, freemem()) < PLENTY) return null;
  const folder = newFolder(SHARED_MEMORY);
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  if (spawnSync(program).status === 0) return folder;
  rmSync(folder, { recursive: true });
  return null;
}

/** Names the process of a run in its folder. */
const OWNER = 'owner';

/** What a run left that was killed is gone with the next. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent).filter((one) => one.startsWith('at-'))) {
    const owner = join(parent, name, OWNER);
    if (!existsSync(owner) || existsSync(join('/proc', readFileSync(owner, 'utf8')))) continue;
    rmSync(join(parent, name), { recursive: true, force: true });
  }
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
