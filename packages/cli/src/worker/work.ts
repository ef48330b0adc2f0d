import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConcurrency } from '@attractor/platform';
import { composeWorker, type ComposedWorker } from '@attractor/server';
import { chosenConcurrency, type ConcurrencyFlag, wholeNumber } from '../concurrency-flag.ts';
import { EXIT, unwrap, catchStop, stopped, putText } from '@attractor/console';
import { modelConfiguration } from '@attractor/headless';
import { chosenModel, type ModelFlags } from '../model-flags.ts';
import { type SandboxFlag, sandboxOptions } from '../sandbox-flag.ts';
import { homeFolder, readSettings } from '../settings.ts';
import { tellUnexpected } from '../tell-unexpected.ts';
import { ownerName } from './owner-name.ts';
import { tellWork } from './tell-work.ts';

export type WorkerFlags = ModelFlags &
  SandboxFlag &
  ConcurrencyFlag & {
    readonly labels?: string;
    readonly databaseUrl?: string;
    readonly drain: string;
    readonly once?: boolean;
  };

/** Works until it is asked to stop, or with `--once` until nothing is left that it could do. */
export async function workUntilStopped(flags: WorkerFlags): Promise<number> {
  const { concurrency = await readConcurrency(homeFolder(process.env)) } = chosenConcurrency(flags);
  const drainMs = wholeNumber(flags.drain, { flag: '--drain', least: 0 }) * 1_000;
  const labels = [...new Set((flags.labels ?? '').split(',').map((label) => label.trim()))].filter(Boolean);
  const worker = await open(flags, { concurrency, labels });
  const having = labels.length === 0 ? '' : ` with ${labels.join(', ')}`;
  say(
    `Working on ${hostname()}${having}, ${concurrency} at once${flags.once === true ? '' : ', until SIGTERM or Ctrl-C'}.`,
  );
  const after = await worker.workflow.lastSeq();
  const silence = tellWork(worker.workflow, { owner: ownerName(), after, write: say });
  const stop = catchStop();
  // A run that waits for a person's answer does not keep this process alive by itself.
  const awake = setInterval(() => undefined, AWAKE_MS);
  await Promise.race([stopped(stop), ...(flags.once === true ? [nothingLeft(worker, stop.signal)] : [])]);
  if (stop.signal.aborted) await letGo(worker, drainMs);
  silence();
  await worker.close();
  stop.release();
  clearInterval(awake);
  return stop.exitCode() === EXIT.terminated ? EXIT.done : stop.exitCode();
}

const AWAKE_MS = 60_000;
const LOOK_MS = 250;
const MOST_LOOKS = 60;

/** Nothing runs here and nothing can be started; what waits for a person needs no worker until it is answered. */
async function nothingLeft({ worker, workflow }: ComposedWorker, signal: AbortSignal): Promise<void> {
  const idle = worker.idle().then(() => 'idle' as const);
  // A run that waits is left to its answer after a while, unless its agent can't be left; that is not waited for.
  for (let looks = 0; looks < MOST_LOOKS && !signal.aborted; looks += 1) {
    if ((await Promise.race([idle, sleep(LOOK_MS)])) === 'idle') break;
    const own = (await workflow.queueState({ limit: 1_000 })).jobs.filter(({ owner }) => owner === ownerName());
    if (own.length === 0 || own.some(({ state }) => state !== 'waiting')) looks = 0;
  }
  const { waiting } = await workflow.queueState({ limit: 0 });
  if (waiting > 0) say(`${waiting} still waiting: a person has to answer first (attractor prompts list).`);
}

async function open(
  flags: WorkerFlags,
  { concurrency, labels }: { readonly concurrency: number; readonly labels: ReadonlyArray<string> },
): Promise<ComposedWorker> {
  const home = homeFolder(process.env);
  const settings = readSettings(home);
  const { databaseUrl } = flags;
  const env = databaseUrl === undefined ? process.env : { ...process.env, ATTRACTOR_DATABASE_URL: databaseUrl };
  return unwrap(
    await composeWorker({
      home,
      env,
      llm: modelConfiguration({ env, settings, flags }),
      ...chosenModel(flags, settings),
      ...(await sandboxOptions({ flags, attended: false })),
      concurrency,
      labels,
      onError: tellUnexpected(say),
    }),
  );
}

/** Runs may finish by themselves for this long; then they are parked, and the next worker continues them. */
async function letGo({ worker, workflow }: ComposedWorker, drainMs: number): Promise<void> {
  const own = async (): Promise<number> =>
    (await workflow.queueState({ limit: 1_000 })).jobs.filter((job) => job.owner === ownerName()).length;
  const running = await own();
  if (running === 0) return;
  say(`Taking no new runs; waiting up to ${drainMs / 1_000} s for ${running} that ${running === 1 ? 'runs' : 'run'}.`);
  await Promise.race([worker.drain(), sleep(drainMs, undefined, { ref: false })]);
  const left = await own();
  if (left > 0) say(`Parking ${left}: the next worker continues ${left === 1 ? 'it' : 'them'}.`);
}

function say(line: string): void {
  putText(process.stderr, `${line}\n`);
}
