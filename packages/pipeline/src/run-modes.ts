import type { AgentRunMode } from '@attractor/store';

export const RUN_MODES = [
  'plan',
  'implement',
  'review',
  'investigate',
  'design',
] as const satisfies ReadonlyArray<AgentRunMode>;

export function isRunMode(value: unknown): value is AgentRunMode {
  return RUN_MODES.some((mode) => mode === value);
}
