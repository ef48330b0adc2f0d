import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { composeWorker, type ComposedWorker } from '@attractor/server';
import { CommandFailure, EXIT, unwrap } from '../exit.ts';
import { modelConfiguration } from '../model-configuration.ts';
import { chosenModel, type ModelFlags } from '../model-flags.ts';
import { type SandboxFlag, sandboxOptions } from '../sandbox-flag.ts';
import { homeFolder, readSettings } from '../settings.ts';
import { catchStop, stopped } from '../terminal/stop-signal.ts';
import { ownerName } from './owner-name.ts';
import { tellWork } from './tell-work.ts';
import { putText } from '../terminal/put.ts';

export type WorkerFlags = ModelFlags &
  SandboxFlag & {
    readonly labels?: string;
    readonly concurrency: string;
    readonly databaseUrl?: string;
    readonly drain: string;
    readonly once?: boolean;
  };

/** Works until it is asked to stop, or with `--once` until nothing is left that it could do. */
export async function workUntilStopped(flags: WorkerFlags): Promise<number> {
  const concurrency = wholeNumber(flags.concurrency, { flag: '--concurrency', least: 1 });
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

/** Nothing runs here and nothing can be started; or everything that runs here waits for a person, and is parked for the next worker. */
async function nothingLeft({ worker, workflow }: ComposedWorker, signal: AbortSignal): Promise<void> {
  const idle = worker.idle().then(() => 'idle' as const);
  while (!signal.aborted) {
    if ((await Promise.race([idle, sleep(LOOK_MS)])) === 'idle') return;
    const { jobs } = await workflow.queueState({ limit: 1_000 });
    const own = jobs.filter(({ owner }) => owner === ownerName());
    const asked = new Set(
      (await workflow.listPrompts({ status: 'pending' })).map(({ runId }) => runId as string | null),
    );
    if (own.length === 0 || !own.every(({ runId }) => asked.has(runId))) continue;
    say(`Parking ${own.length}: a person has to answer first (attractor prompts list).`);
    return;
  }
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
      onError: (error) => say(`unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    }),
  );
}

/** Runs may finish by themselves for this long; then they are parked, and the next worker continues them. */
async function letGo({ worker, workflow }: ComposedWorker, drainMs: number): Promise<void> {
  const own = async (): Promise<number> =>
    (await workflow.queueState({ limit: 1_000 })).jobs.filter((job) => job.owner === ownerName()).length;
  const running = await own();
  if (running === 0) return;
  say(`Taking nothing new; waiting up to ${drainMs / 1_000} s for ${running} that ${running === 1 ? 'runs' : 'run'}.`);
  await Promise.race([worker.drain(), sleep(drainMs, undefined, { ref: false })]);
  const left = await own();
  if (left > 0) say(`Parking ${left}: the next worker goes on with ${left === 1 ? 'it' : 'them'}.`);
}

function wholeNumber(text: string, { flag, least }: { readonly flag: string; readonly least: number }): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new CommandFailure(`${flag} must be a whole number from ${least}, not '${text}'.`, EXIT.usage);
}

function say(line: string): void {
  putText(process.stderr, `${line}\n`);
}
