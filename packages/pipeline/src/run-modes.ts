import { RUN_MODES } from '@attractor/facts';
import type { AgentRunMode } from '@attractor/store';

export function isRunMode(value: unknown): value is AgentRunMode {
  return RUN_MODES.some((mode) => mode === value);
}
