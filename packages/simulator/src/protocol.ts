import type { Answer } from './answer/answer.ts';
import type { SimulatedRequest } from './wire/http.ts';
import type { JsonObject } from './wire/json.ts';
import type { WireEvent } from './wire/sse.ts';

export type ProtocolId = 'anthropic' | 'openai' | 'openai-chat' | 'gemini';

export interface DeclaredTool {
  name: string;
  parameters: JsonObject;
}

/**
 * A request of any protocol in one shape. `assistantTurns` counts model turns in the history and is the position in the script. `segments`
 * is the prompt in prefix order, one serialised piece each;
 * `breakpoints` are indexes into it where the client requested caching (absent: the service caches by itself).
 */
export interface ModelRequest {
  protocol: ProtocolId;
  model: string;
  stream: boolean;
  body: JsonObject;
  headers: Record<string, string>;
  system: string;
  firstUser: string;
  lastUser: string;
  toolResults: string[];
  callIds: string[];
  assistantTurns: number;
  tools: DeclaredTool[];
  forcedTool?: string;
  identity: string;
  /** `required`: a turn that answers a person must start with it. */
  thinking: 'off' | 'hidden' | 'shown' | 'required';
  /** The stream is one JSON array instead of events. */
  arrayStream?: boolean;
  segments: string[];
  breakpoints?: number[];
}

export type FailureKind =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'too_large'
  | 'context_overflow'
  | 'rate_limit'
  | 'spend_cap'
  | 'server'
  | 'overloaded'
  | 'timeout';

/** A refusal in neutral terms; each protocol turns it into the real service's status and JSON. */
export interface Failure {
  kind: FailureKind;
  message?: string;
  status?: number;
  code?: string;
  param?: string;
  headers?: Record<string, string>;
}

export interface CheckContext {
  model: string;
  requireThoughtSignatures: boolean;
  /** The request only asks for its token count. */
  counting: boolean;
}

/**
 * One wire protocol. Every member is a pure function of its arguments. `check` sees the body before `parse`; `parse` accepts any JSON
 * object, because checks can be switched off.
 */
export interface Protocol {
  id: ProtocolId;
  /** The prefix of this service's call ids; absent if it gives none. */
  callIdPrefix: string | undefined;
  authenticate(request: SimulatedRequest, apiKeys: readonly string[] | undefined): Failure | undefined;
  check(body: JsonObject, context: CheckContext): Failure | undefined;
  parse(body: JsonObject, context: ParseContext): ModelRequest;
  complete(answer: Answer, request: ModelRequest): string;
  stream(answer: Answer, request: ModelRequest): WireEvent[];
  /** The stream's opening events, before anything a person could see. */
  opening(answer: Answer, request: ModelRequest): WireEvent[];
  /** A stream or body that carries ids and numbers but neither content nor an end. */
  metadataOnly(answer: Answer, request: ModelRequest): { events: WireEvent[]; body: string };
  streamFailure(failure: Failure): WireEvent[];
  failure(failure: Failure): { status: number; body: unknown };
  invalidJson(text: string): Failure;
  modelNotFound(model: string): Failure;
  contextOverflow(tokens: number, limit: number): Failure;
  /** How a stream becomes bytes, if it is no event stream of text. */
  frames?: { type: string; frame(events: readonly WireEvent[]): Uint8Array[] };
  unknownEvent: WireEvent;
  ping: string;
  headers(): Record<string, string>;
  models(ids: readonly string[]): unknown;
  model(id: string): unknown;
  countTokens(tokens: number): unknown;
}

export interface ParseContext {
  headers: Record<string, string>;
  /** From the path, if the protocol names the model and the operation there. */
  model: string;
  stream: boolean;
  arrayStream: boolean;
}
