import type { RunStep } from '@attractor/platform';
import { z } from 'zod';

export const runRoutes = {
  all: '/api/runs',
  one: '/api/runs/:id',
  stop: '/api/runs/:id/stop',
  view: '/api/views/runs/:id',
} as const;

export const startRunBody = z.strictObject({
  mode: z.enum(['plan', 'implement', 'review', 'investigate', 'design']),
  overrides: z
    .strictObject({
      agentType: z.string().min(1).exactOptional(),
      model: z.string().min(1).exactOptional(),
      provider: z.string().min(1).exactOptional(),
      maxTurns: z.number().int().positive().exactOptional(),
      timeout: z.number().int().positive().exactOptional(),
    })
    .exactOptional(),
});

export const runQuery = z.strictObject({
  taskId: z.string().exactOptional(),
  projectId: z.string().exactOptional(),
  status: z.enum(['running', 'completed', 'failed', 'cancelled', 'timeout']).exactOptional(),
});

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

export type StartRunBody = z.infer<typeof startRunBody>;
export type RunQuery = z.infer<typeof runQuery>;

export type { AgentRun, AgentRunMode, AgentRunStatus, CheckResult, RunStep } from '@attractor/platform';
