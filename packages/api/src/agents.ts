import type { AgentConfig } from '@attractor/platform';
import { get, type HttpOptions } from './http.ts';

export const agentRoutes = { all: '/api/agents', tools: '/api/agents/tools' } as const;

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

/** A tool of our own agents, for people. */
export type ToolInfo = {
  readonly name: string;
  /** What models of each family call it. */
  readonly names: ReadonlyArray<string>;
  /** "searches file contents" */
  readonly does: string;
  /** The arguments that say what a call is about; the first one that is given counts. */
  readonly subject: ReadonlyArray<string>;
};

export function agentCalls(http: HttpOptions) {
  return {
    list: () => get<ReadonlyArray<AgentInfo>>(http, agentRoutes.all),
    tools: () => get<ReadonlyArray<ToolInfo>>(http, agentRoutes.tools),
  };
}
