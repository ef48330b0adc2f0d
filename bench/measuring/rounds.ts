/** The cost of one run. CPU is user and system time of the whole process; memory is its peak. */
export type Cost = { readonly wallMs: number; readonly cpuMs: number; readonly peakMb: number };

export type Contender = { readonly name: string; readonly run: () => Promise<Cost> };

export type Standing = { readonly name: string; readonly median: Cost; readonly ratio: Cost };

/**
 * Lets contenders take turns, so that a noisy moment hits all alike, and compares medians. The first contender is the floor: ratios are
 * relative to it. The first round warms caches and does not count.
 */
export async function takeTurns(
  contenders: ReadonlyArray<Contender>,
  rounds: number,
): Promise<ReadonlyArray<Standing>> {
  const costs = new Map<string, Cost[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, run } of contenders) {
      const cost = await run();
      if (round > 0) costs.get(name)?.push(cost);
    }
  }
  const medians = contenders.map(({ name }) => ({ name, median: medianCost(costs.get(name) ?? []) }));
  const floor = medians[0]?.median ?? ZERO;
  return medians.map(({ name, median }) => ({ name, median, ratio: divide(median, floor) }));
}

const ZERO: Cost = { wallMs: 0, cpuMs: 0, peakMb: 0 };

function medianCost(costs: ReadonlyArray<Cost>): Cost {
  return {
    wallMs: median(costs.map((cost) => cost.wallMs)),
    cpuMs: median(costs.map((cost) => cost.cpuMs)),
    peakMb: median(costs.map((cost) => cost.peakMb)),
  };
}

export function median(values: ReadonlyArray<number>): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? 0;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? 0) + upper) / 2 : upper;
}

function divide(cost: Cost, floor: Cost): Cost {
  return {
    wallMs: cost.wallMs / floor.wallMs,
    cpuMs: cost.cpuMs / floor.cpuMs,
    peakMb: cost.peakMb / floor.peakMb,
  };
}
