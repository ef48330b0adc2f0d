import type { AgentConfig } from '@attractor/platform';

export const agentRoutes = { all: '/api/agents' } as const;

/** A kind of agent that this server can start, or why it can't. */
export type AgentInfo = {
  readonly type: string;
  readonly displayName: string;
  readonly available: boolean;
  /** Why it is not available, and what to do about it. */
  readonly reason: string | null;
  /** Starts where nobody chose another. */
  readonly isDefault: boolean;
  readonly defaults: AgentConfig;
};
