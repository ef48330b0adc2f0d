import type { Asks } from './agent-port.ts';

/** A person's answer to a plan. */
export type PlanAnswer = Awaited<ReturnType<Asks['approvePlan']>>;
