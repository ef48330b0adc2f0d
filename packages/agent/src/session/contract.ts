import type { Client } from '@attractor/llm';
import type {
  DeliveredEvent,
  ExecutionEnvironment,
  ProviderProfile,
  SessionConfig,
  SessionState,
  Turn,
} from '../types/index.ts';
import type { Journal } from '../journal/journal.ts';

/** Asked before a tool that is not read-only runs. It may take days: until it answers, nothing runs. */
export type Approve = (request: ApprovalRequest) => Promise<ApprovalAnswer>;

export type ApprovalRequest = {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
};

export type ApprovalAnswer = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

export type SessionOptions = {
  readonly profile: ProviderProfile;
  readonly environment: ExecutionEnvironment;
  readonly client: Client;
  readonly config: SessionConfig;
  /** Absent: events live in memory only. */
  readonly journal?: Journal;
  /** Absent: everything the registry offers may run. */
  readonly approve?: Approve;
  readonly sessionId?: string;
  readonly depth?: number;
};

/**
 * A conversation that acts. One input is processed at a time; a tool starts only after its TOOL_CALL_START is in the journal;
 * SESSION_END is the last event. `submit` resolves when the input and its queued follow-ups are done, and rejects only when closed.
 */
export type Session = {
  readonly id: string;
  readonly submit: (input: string) => Promise<void>;
  readonly steer: (message: string) => void;
  readonly followUp: (message: string) => void;
  readonly abort: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly events: () => AsyncIterable<DeliveredEvent>;
  readonly state: () => SessionState;
  readonly history: () => ReadonlyArray<Turn>;
};
