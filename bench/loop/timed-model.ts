import { subscribe } from 'node:diagnostics_channel';
import { startSimulator } from '@attractor/simulator';
import type { ScriptInput } from '@attractor/simulator';
import { fork } from 'node:child_process';

/** When requests arrived and answers ended, in milliseconds of the machine's monotonic clock, which all its processes share. */
export type Times = { readonly requests: ReadonlyArray<number>; readonly ends: ReadonlyArray<number> };

/** The scripted model in a separate process. It only records times, so that recording does not slow it down. */
export type TimedModel = {
  readonly baseUrl: string;
  /** What happened since the last call. */
  readonly takeTimes: () => Promise<Times>;
  /** The body of the last request since then; only for a model that was started to keep it. */
  readonly lastBody: () => Promise<unknown>;
  readonly stop: () => void;
};

export type ModelPlan = { readonly script: ScriptInput; readonly record: 'last' | 'none' };

type Told = { readonly baseUrl: string } | { readonly times: Times } | { readonly body: unknown };

export async function startTimedModel(plan: ModelPlan): Promise<TimedModel> {
  const server = fork(import.meta.filename, [JSON.stringify(plan)]);
  const gone = new Promise<never>((_, reject) => {
    server.once('exit', () => reject(new Error('the scripted model ended')));
  });
  gone.catch(() => undefined);
  const heard = (): Promise<Told> =>
    Promise.race([gone, new Promise<Told>((resolve) => void server.once('message', resolve))]);
  const ask = (what: 'times' | 'body'): Promise<Told> => {
    const told = heard();
    server.send(what);
    return told;
  };
  const started = await heard();
  return {
    baseUrl: 'baseUrl' in started ? started.baseUrl : '',
    takeTimes: async () => {
      const told = await ask('times');
      return 'times' in told ? told.times : { requests: [], ends: [] };
    },
    lastBody: async () => {
      const told = await ask('body');
      return 'body' in told ? told.body : undefined;
    },
    stop: () => void server.kill(),
  };
}

export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

async function serve({ script, record }: ModelPlan): Promise<void> {
  let requests: number[] = [];
  let ends: number[] = [];
  subscribe('http.server.request.start', () => void requests.push(now()));
  subscribe('http.server.response.finish', () => void ends.push(now()));
  const simulator = await startSimulator({ script, record });
  process.on('message', (what) => {
    if (what === 'body') process.send?.({ body: simulator.requests().at(-1)?.body });
    else process.send?.({ times: { requests, ends } });
    requests = [];
    ends = [];
  });
  process.send?.({ baseUrl: simulator.baseUrls.anthropic });
}

const [plan] = process.argv.slice(2);
if (import.meta.main && plan !== undefined) await serve(JSON.parse(plan));
