import { type BigIntStats, statSync } from 'node:fs';

const MOST_KEPT = 200;
/** The coarsest clock of a disk that is in use. */
const TICK_MS = 2_000;

/** An answer, and every file and folder that it depends on: also those that are not there. */
export type Grounded<T> = { readonly value: T; readonly files: ReadonlyArray<string> };

/**
 * Caches answers as long as none of the files that they depend on changed. A file that changed just before it was read may change once more
 * within the same tick of the disk's clock, unnoticed: such an answer is returned, and not cached.
 */
export function rememberWhileUnchanged<T>(
  { tickMs } = { tickMs: TICK_MS },
): (key: string, ask: () => Promise<Grounded<T>>) => Promise<T> {
  const known = new Map<string, { readonly value: T; readonly seen: ReadonlyArray<readonly [string, string]> }>();
  const asking = new Map<string, Promise<T>>();
  const askNow = async (key: string, ask: () => Promise<Grounded<T>>): Promise<T> => {
    const started = Date.now();
    const { value, files } = await ask();
    const statuses = [...new Set(files)].map((file) => [file, statusOf(file)] as const);
    const isOld = statuses.every(([, status]) => status === null || Number(status.ctimeMs) < started - tickMs);
    if (known.size >= MOST_KEPT) known.clear();
    if (isOld && files.length > 0)
      known.set(key, { value, seen: statuses.map(([file, status]) => [file, versionOf(status)]) });
    return value;
  };
  return async (key, ask) => {
    const before = known.get(key);
    if (before?.seen.every(([file, version]) => versionOf(statusOf(file)) === version) === true) return before.value;
    known.delete(key);
    const answer = asking.get(key) ?? askNow(key, ask).finally(() => asking.delete(key));
    asking.set(key, answer);
    return answer;
  };
}

function statusOf(file: string): BigIntStats | null {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function versionOf(status: BigIntStats | null): string {
  if (status === null) return 'absent';
  const { dev, ino, size, mtimeNs, ctimeNs } = status;
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}
