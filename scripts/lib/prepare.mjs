import { join } from 'node:path';
import { ensureBuilt, isBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { isStamped } from './installed.mjs';
import { withLock } from './lock.mjs';

/**
 * Makes a checkout ready to run. If everything is there it takes no lock and writes nothing; if two starts meet, one works and the other
 * waits for it and then finds nothing to do.
 */
export async function prepare(root, say) {
  if (isStamped(root) && isBuilt(root)) return;
  await exclusively(root, say, async () => {
    await ensureInstalled(root, say);
    await ensureBuilt(root, say);
  });
}

/** @param {(say: (line: string) => void) => Promise<T>} work @template T */
export function exclusively(root, say, work) {
  const onWait = (pid) => say(`another start (process ${pid}) is installing or building; waiting for it`);
  return withLock(join(root, '.cache', 'prepare.lock'), { onWait }, work);
}

/** Progress goes to stderr, so that stdout stays the result of the command. */
export function say(line) {
  process.stderr.write(`attractor: ${line}\n`);
}
