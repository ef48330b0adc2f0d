import type { ExecutionEnvironment } from '@attractor/agent';
import type { DeliveredEvent, Sessions } from '@attractor/journal';
import type { Usage } from '@attractor/llm';
import type { Redactor } from '@attractor/redact';
import type { Failure } from './failure.ts';
import type { FileTools } from './file-tools/file-tools.ts';
import type { ProviderErrorCode, ProviderFactory } from './provider.ts';
import type { CanUse } from './run-call.ts';
import type { AgentSpec } from './spec/agent-spec.ts';
import type { Parameters } from './spec/messages.ts';

export type ExecuteOptions = {
  readonly spec: AgentSpec;
  /** The folder in which the tools work and `.session` is written. */
  readonly environment: ExecutionEnvironment;
  readonly provider: ProviderFactory;
  /** The folder of the journals. */
  readonly sessions: Sessions;
  /** How tools are called. Absent: in this process. */
  readonly tools?: FileTools;
  /** The session to continue. Absent: a new one. */
  readonly sessionId?: string;
  readonly parameters?: Parameters;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: DeliveredEvent) => void;
  readonly canUse?: CanUse;
  /** How many replies one message may take. The agent's own limit counts only if it is lower. */
  readonly maxTurns?: number;
  readonly redactor?: Redactor;
};

/** Options with the redactor that is used. */
export type Redacting = ExecuteOptions & { readonly redactor: Redactor };

export type Executed = {
  readonly text: string;
  readonly sessionId: string;
  readonly turns: number;
  readonly usage: Usage;
  /** US dollars spent in the session so far; null if a price is unknown. */
  readonly costUsd: number | null;
};

export type ExecutorErrorCode =
  | ProviderErrorCode
  | 'session_not_found'
  | 'session_locked'
  | 'session_of_other_provider'
  | 'workspace'
  | 'journal'
  | 'max_turns'
  | 'interrupted';

export type ExecutorFailure = Failure<ExecutorErrorCode> & { readonly sessionId?: string };
