import type { Client, Usage } from '@attractor/llm';
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
 * SESSION_END is the last event and closes the journal. `submit` resolves when the input and its queued follow-ups are done or
 * the session was closed meanwhile (see `state` and `error`); it rejects only on a session that is closed already.
 */
export type Session = {
  readonly id: string;
  readonly submit: (input: string) => Promise<void>;
  /** Goes on with an input that a dead process left unfinished; resolves at once when there is none. */
  readonly resume: () => Promise<void>;
  readonly steer: (message: string) => void;
  readonly followUp: (message: string) => void;
  /** Stops the work for good: what had not begun is answered as not run. */
  readonly abort: () => Promise<void>;
  /** Ends this process's hold on the session; unfinished work goes on after `resumeSession`. */
  readonly close: () => Promise<void>;
  /** The first reader also gets what happened before; later ones what happens from then on. */
  readonly events: () => AsyncIterable<DeliveredEvent>;
  readonly state: () => SessionState;
  readonly history: () => ReadonlyArray<Turn>;
  readonly usage: () => Usage;
  /** Why the session closed itself; null unless it did. */
  readonly error: () => Error | null;
};
