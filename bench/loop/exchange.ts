import type { Cost } from '../measuring/rounds.ts';
import { watchProcess } from '../measuring/watched-process.ts';
import { now, type TimedModel } from './timed-model.ts';

/** One whole conversation of one program, as the model saw it and the kernel counted it. */
export type Measured = {
  /** From spawn to the first request. */
  readonly firstMs: number;
  /** From the end of each answer to the next request. */
  readonly gapsMs: ReadonlyArray<number>;
  readonly cost: Cost;
};

export type Exchange = {
  readonly model: TimedModel;
  readonly args: ReadonlyArray<string>;
  readonly env: Readonly<Record<string, string>>;
  readonly turns: number;
};

/** Reading the kernel's counters costs time on the measured cores: often enough for the peak, and no more. */
const LOOK_EVERY_MS = 25;

export async function measureExchange({ model, args, env, turns }: Exchange): Promise<Measured> {
  await model.takeTimes();
  const started = now();
  const cost = await watchProcess({ program: process.execPath, args, env, lookEveryMs: LOOK_EVERY_MS }).ended;
  const { requests, ends } = await model.takeTimes();
  if (requests.length !== turns) throw new Error(`${args[0]}: ${requests.length} requests came, not ${turns}`);
  return {
    firstMs: (requests[0] ?? 0) - started,
    gapsMs: requests.slice(1).map((request, index) => request - (ends[index] ?? 0)),
    cost,
  };
}
