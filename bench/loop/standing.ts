import { median } from '../measuring/rounds.ts';
import type { Measured } from './exchange.ts';

/** Medians over all conversations of a contender. */
export type Summary = {
  readonly firstMs: number;
  readonly turnMs: number;
  /** The median turn among the last fifty against that among the first fifty; 1 for a conversation of fifty. */
  readonly growth: number;
  readonly cpuMs: number;
  readonly peakMb: number;
};

const STRETCH = 50;

export function summarise(all: ReadonlyArray<Measured>): Summary {
  return {
    firstMs: median(all.map(({ firstMs }) => firstMs)),
    turnMs: median(all.map(({ gapsMs }) => median(gapsMs))),
    growth: median(all.map(({ gapsMs }) => median(gapsMs.slice(-STRETCH)) / median(gapsMs.slice(0, STRETCH)))),
    cpuMs: median(all.map(({ cost }) => cost.cpuMs)),
    peakMb: median(all.map(({ cost }) => cost.peakMb)),
  };
}

export function divide(one: Summary, floor: Summary): Summary {
  return {
    firstMs: one.firstMs / floor.firstMs,
    turnMs: one.turnMs / floor.turnMs,
    growth: one.growth / floor.growth,
    cpuMs: one.cpuMs / floor.cpuMs,
    peakMb: one.peakMb / floor.peakMb,
  };
}
