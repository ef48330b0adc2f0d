import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { settledDescriptors } from './held.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

type Work = {
  /** Tells the task. */
  readonly begin: (number: number) => Promise<string>;
  readonly untilAllEnded: () => Promise<unknown>;
  readonly closeTask: (taskId: string) => Promise<unknown>;
  readonly supervise: () => Promise<unknown>;
  /** The project's. */
  readonly path: string;
};

/**
 * Begins runs until each of the counts is reached, never many at once, and closes their tasks when they have ended. Prints what this process
 * holds and what is left at each of the counts.
 */
export async function tellAtEach(
  counts: ReadonlyArray<string>,
  { begin, untilAllEnded, closeTask, supervise, path }: Work,
): Promise<void> {
  let done = 0;
  for (const count of counts.map(Number)) {
    // What is queued is not what is kept.
    while (done < count) {
      const next = Math.min(20, count - done);
      const tasks: string[] = [];
      for (let index = 0; index < next; index += 1) tasks.push(await begin(done + index));
      await untilAllEnded();
      for (const task of tasks) await closeTask(task);
      done += next;
    }
    await supervise();
    // Twice: what is freed by the first may free more.
    collect();
    const descriptors = await settledDescriptors();
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    const temporary = readdirSync(process.env['TMPDIR'] ?? '/tmp').length;
    const worktrees = readdirSync(join(path, '.agent-worktrees')).length;
    process.stdout.write(`${JSON.stringify({ runs: done, heapUsed, rss, descriptors, temporary, worktrees })}\n`);
  }
}
