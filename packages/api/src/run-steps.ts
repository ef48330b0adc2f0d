import type { RunStep } from '@attractor/platform';

/** The ten steps of a run, in their order. */
export const STEPS = [
  'prepare',
  'context',
  'configure',
  'execute',
  'monitor',
  'parse',
  'validate',
  'artifacts',
  'trigger',
  'cleanup',
] as const satisfies ReadonlyArray<RunStep>;
