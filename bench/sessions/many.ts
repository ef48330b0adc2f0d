/** Holds conversations side by side in one process, as a server would, and prints their cost. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createLocalExecutionEnvironment, createProfile, createSession } from '@attractor/agent';
import { openSessions } from '@attractor/journal';
import { createClient, type Client } from '@attractor/llm';

export type ManyCost = {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Before the first session, and at its highest. */
  readonly startMb: number;
  readonly peakMb: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
};

const RESOLUTION_MS = 2;
const LOOK_EVERY_MS = 20;

const [baseUrl = '', folder = '', count = '1'] = process.argv.slice(2);
const client = createClient({ configuration: { providers: { anthropic: { apiKey: 'sk-bench', baseUrl } } } });
const sessions = openSessions({ home: join(folder, 'home') });
const work = join(folder, 'work');
await mkdir(work, { recursive: true });
await writeFile(join(work, 'lines.txt'), 'all work and no play makes Jack a dull boy\n'.repeat(20));

await converse(client, 'warm-up');
globalThis.gc?.();
console.log(JSON.stringify(await measure(Number(count))));
await client.close();

async function measure(wanted: number): Promise<ManyCost> {
  const startMb = residentMb();
  let peakMb = startMb;
  const timer = setInterval(() => (peakMb = Math.max(peakMb, residentMb())), LOOK_EVERY_MS);
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const cpu = process.cpuUsage();
  const started = performance.now();
  delay.enable();
  await Promise.all(Array.from({ length: wanted }, (_, index) => converse(client, `number ${index}`)));
  delay.disable();
  clearInterval(timer);
  const { user, system } = process.cpuUsage(cpu);
  const lateMs = (ns: number): number => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  return {
    wallMs: performance.now() - started,
    cpuMs: (user + system) / 1000,
    startMb,
    peakMb: Math.max(peakMb, residentMb()),
    delayP99Ms: lateMs(delay.percentile(99)),
    delayMaxMs: lateMs(delay.max),
  };
}

async function converse(model: Client, prompt: string): Promise<void> {
  const held = sessions.create({ cwd: work });
  if (!held.ok) throw new Error(held.error.message);
  const session = createSession({
    profile: createProfile('anthropic'),
    environment: createLocalExecutionEnvironment(work),
    client: model,
    config: { provider: 'anthropic', model: 'scripted', workingDirectory: work, loopDetectionWindow: 0 },
    journal: held.value.journal,
    sessionId: held.value.id,
  });
  await session.submit(prompt);
  const failure = session.error();
  if (failure !== null) throw failure;
  await session.close();
}

function residentMb(): number {
  return process.memoryUsage.rss() / (1 << 20);
}
