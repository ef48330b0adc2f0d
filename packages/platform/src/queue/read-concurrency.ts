import { availableParallelism, totalmem } from 'node:os';
import { isRecord } from '@attractor/base';
import { readHomeConfig } from '@attractor/project-config';

const LEAST = 2;
const MOST = 8;
/** What an agent with its tools and the project's checks may take. */
const MEMORY_A_RUN = 1 << 30;

/** How many runs a process works on at once: `queue.concurrency` of the person's own configuration, otherwise what suits the machine. */
export async function readConcurrency(home: string): Promise<number> {
  const config = await readHomeConfig(home);
  const queue = config.ok ? config.value.whole['queue'] : null;
  const chosen = isRecord(queue) ? queue['concurrency'] : null;
  return typeof chosen === 'number' && Number.isInteger(chosen) && chosen >= 1 ? chosen : ofMachine();
}

function ofMachine(): number {
  return Math.max(LEAST, Math.min(MOST, availableParallelism(), Math.floor(totalmem() / MEMORY_A_RUN)));
}
