import type { Result } from '@attractor/base';
import type { JournalRecord, SessionEvent } from '@attractor/journal';
import type { ContentPart, Usage } from '@attractor/llm';
import type { FILE_TOOLS } from './file-tools/definitions.ts';
import type { Failure } from './failure.ts';
import type { AgentSpec } from './spec/agent-spec.ts';

/**
 * Talks to a model. It has four operations, none of which throws: a failure is a `ProviderError`. A session is known by its id,
 * in later processes too. Tools have their public names (`file.read`).
 *
 * Either the executor runs the calls of a response and submits their results, or the provider asks its host to run them and returns a
 * complete response; never both. A provider of the second kind has `continueSession`.
 */
export type Provider = {
  /** Sends no request: the session begins with its first message. */
  readonly createSession: (spec: AgentSpec, workspaceRoot: string) => Promise<ProviderResult<Session>>;
  readonly sendMessage: (session: Session, message: string) => Promise<ProviderResult<Response>>;
  /** One result for each call of the last response. */
  readonly submitToolResults: (
    session: Session,
    results: ReadonlyArray<ToolResult>,
  ) => Promise<ProviderResult<Response>>;
  /**
   * Null if there is no such session. Its history ends with the last response: the caller sends unanswered messages and results
   * again.
   */
  readonly resumeSession: (id: string) => Promise<ProviderResult<Session | null>>;
  /** Continues a message whose work was interrupted: finished work is kept, and nothing is done twice. */
  readonly continueSession?: (session: Session, message: string) => Promise<ProviderResult<Response>>;
  readonly close?: () => Promise<void>;
};

/** A provider and its id. `open` is called once for each run; everything a provider may use is in the host. */
export type ProviderFactory = { readonly id: string; readonly open: (host: ProviderHost) => Provider };

export type Session = { readonly id: string; readonly provider: string; readonly agentSpec: AgentSpec };

/** `isComplete` exactly when there are no calls to run. */
export type Response = {
  readonly text: string;
  readonly toolCalls: ReadonlyArray<ToolCall>;
  readonly isComplete: boolean;
  /** The model's reply as it came, for providers that must send it back unchanged. */
  readonly content?: ReadonlyArray<ContentPart>;
  readonly usage?: Usage;
  readonly model?: string;
  readonly responseId?: string;
  /** US dollars spent in the session so far, if the service reports it. */
  readonly costUsd?: number;
};

export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Set if the model wrote something other than a JSON object, which `input` does not hold. Such a call is not run. */
  readonly inputError?: string;
};

export type ToolResult = { readonly toolCallId: string; readonly output: string; readonly isError: boolean };

export type ProviderErrorCode = 'AuthenticationError' | 'RateLimitError' | 'NetworkError' | 'InvalidResponseError';

export type ProviderError = Failure<ProviderErrorCode>;

export type ProviderResult<Value> = Result<Value, ProviderError>;

/** Shown while a reply arrives; none of it is stored. */
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
  /** The tools that this agent may use. */
  readonly tools: typeof FILE_TOOLS;
  readonly signal: AbortSignal;
  /** The records of a session's journal; null if there is no such session. */
  readonly history: (sessionId: string) => Iterable<JournalRecord> | null;
  readonly onProgress: (event: ProgressEvent) => void;
  /** For providers that run tools themselves: writes the start to the journal, runs the call and writes its end, one call at a time. */
  readonly runTool: (call: ToolCall, reply: OwnReply) => Promise<ToolResult>;
};

/** What came before a call that the provider asked for: the text, and the model. */
export type OwnReply = { readonly text: string; readonly model: string };
