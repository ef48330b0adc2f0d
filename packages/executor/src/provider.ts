import type { Result } from '@attractor/base';
import type { JournalRecord, SessionEvent } from '@attractor/journal';
import type { ContentPart, Usage } from '@attractor/llm';
import type { FILE_TOOLS } from './file-tools/definitions.ts';
import type { Failure } from './failure.ts';
import type { AgentSpec } from './spec/agent-spec.ts';

/**
 * Who talks to a model. Four operations, and nothing of theirs throws: a failure is a `ProviderError`. A session is known by its id,
 * also in a later process. Names of tools are the public ones (`file.read`).
 *
 * Either the executor runs the calls of a response and submits their results, or the provider has them run by its host and answers
 * complete; never both. A provider of the second kind has `continueSession`.
 */
export type Provider = {
  /** Asks nobody: the session begins with its first message. */
  readonly createSession: (spec: AgentSpec, workspaceRoot: string) => Promise<ProviderResult<Session>>;
  readonly sendMessage: (session: Session, message: string) => Promise<ProviderResult<Response>>;
  /** One result for each call of the last response. */
  readonly submitToolResults: (
    session: Session,
    results: ReadonlyArray<ToolResult>,
  ) => Promise<ProviderResult<Response>>;
  /**
   * Null when there is no such session. Its history ends with the last response: a message or results that had none yet are sent again
   * by whoever resumes.
   */
  readonly resumeSession: (id: string) => Promise<ProviderResult<Session | null>>;
  /** Goes on with a message whose work was interrupted: what was done is kept, and nothing is done twice. */
  readonly continueSession?: (session: Session, message: string) => Promise<ProviderResult<Response>>;
  readonly close?: () => Promise<void>;
};

/** A provider by its id. `open` is called once for each run; everything a provider may use is in the host. */
export type ProviderFactory = { readonly id: string; readonly open: (host: ProviderHost) => Provider };

export type Session = { readonly id: string; readonly provider: string; readonly agentSpec: AgentSpec };

/** `isComplete` exactly when there are no calls to run. */
export type Response = {
  readonly text: string;
  readonly toolCalls: ReadonlyArray<ToolCall>;
  readonly isComplete: boolean;
  /** The reply as the model gave it, for providers whose models need it back unchanged. */
  readonly content?: ReadonlyArray<ContentPart>;
  readonly usage?: Usage;
  readonly model?: string;
  readonly responseId?: string;
  /** USD of the session so far, where the service tells it. */
  readonly costUsd?: number;
};

export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Why `input` is not what the model wrote: that was no JSON object. Such a call is not run. */
  readonly inputError?: string;
};

export type ToolResult = { readonly toolCallId: string; readonly output: string; readonly isError: boolean };

export type ProviderErrorCode = 'AuthenticationError' | 'RateLimitError' | 'NetworkError' | 'InvalidResponseError';

export type ProviderError = Failure<ProviderErrorCode>;

export type ProviderResult<Value> = Result<Value, ProviderError>;

/** What is shown while a reply comes in; none of it is stored. */
export type ProgressEvent = Extract<
  SessionEvent,
  {
    readonly kind:
      | 'ASSISTANT_TEXT_START'
      | 'ASSISTANT_TEXT_DELTA'
      | 'ASSISTANT_TEXT_END'
      | 'ASSISTANT_TEXT_DISCARDED'
      | 'THINKING_DELTA';
  }
>;

/** What the executor lends to a provider for one run. */
export type ProviderHost = {
  readonly agentSpec: AgentSpec;
  readonly workspaceRoot: string;
  /** Those that this agent may use. */
  readonly tools: typeof FILE_TOOLS;
  readonly signal: AbortSignal;
  /** The records of a session's journal; null when there is no such session. */
  readonly history: (sessionId: string) => Iterable<JournalRecord> | null;
  readonly onProgress: (event: ProgressEvent) => void;
  /** For providers that run tools themselves: journals, runs and journals again, one call at a time. */
  readonly runTool: (call: ToolCall, reply: OwnReply) => Promise<ToolResult>;
};

/** Where a call came from that the provider has run: the words before it, and the model. */
export type OwnReply = { readonly text: string; readonly model: string };
