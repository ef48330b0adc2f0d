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
  /** Where the tools act, and `.session` is left. */
  readonly environment: ExecutionEnvironment;
  readonly provider: ProviderFactory;
  /** Where conversations are journaled. */
  readonly sessions: Sessions;
  /** How the tools are reached; absent: in this process. */
  readonly tools?: FileTools;
  /** Goes on with this session; absent: begins one. */
  readonly sessionId?: string;
  readonly parameters?: Parameters;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: DeliveredEvent) => void;
  readonly canUse?: CanUse;
  /** How many replies one message may take; the spec's own number is less than that or counts for nothing. */
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
  /** USD of the session so far; null when a price is not known. */
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
