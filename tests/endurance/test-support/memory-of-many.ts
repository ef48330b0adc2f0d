import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Begins runs until each of the counts is reached, never many at once, and prints what this process holds at each of them. */
export async function tellAtEach(
  counts: ReadonlyArray<string>,
  { begin, untilAllEnded }: { begin: (number: number) => Promise<void>; untilAllEnded: () => Promise<unknown> },
): Promise<void> {
  let done = 0;
  for (const count of counts.map(Number)) {
    // What is queued is not what is kept.
    while (done < count) {
      const next = Math.min(20, count - done);
      for (let index = 0; index < next; index += 1) await begin(done + index);
      await untilAllEnded();
      done += next;
    }
    // Twice: what is freed by the first may free more.
    collect();
    await sleep(500);
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    const descriptors = readdirSync('/proc/self/fd').length;
    const temporary = readdirSync(process.env['TMPDIR'] ?? '/tmp').length;
    process.stdout.write(`${JSON.stringify({ runs: done, heapUsed, rss, descriptors, temporary })}\n`);
  }
}
