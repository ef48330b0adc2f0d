import type { Message } from './message.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export type ToolSpec = { readonly name: string; readonly description: string; readonly parameters: JsonSchema };

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly toolName: string };

export type ReasoningEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json' }
  | { readonly type: 'json_schema'; readonly schema: JsonSchema; readonly name?: string; readonly strict?: boolean };

/** Milliseconds. `idle` counts from the last meaningful event: pings and empty chunks do not reset it. */
export type Timeouts = { readonly connect?: number; readonly idle?: number; readonly total?: number };

export type WebSearch = {
  readonly allowedDomains?: ReadonlyArray<string>;
  readonly blockedDomains?: ReadonlyArray<string>;
};

/** One request to one model. Absent fields are omitted on the wire, never defaulted by us (except `maxTokens` where required). */
export type Request = {
  readonly model: string;
  readonly provider?: string;
  readonly messages: ReadonlyArray<Message>;
  readonly tools?: ReadonlyArray<ToolSpec>;
  readonly toolChoice?: ToolChoice;
  readonly responseFormat?: ResponseFormat;
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  readonly stopSequences?: ReadonlyArray<string>;
  readonly reasoningEffort?: ReasoningEffort;
  readonly metadata?: Readonly<Record<string, string>>;
  /** By provider id; passed through to the provider (for example `{ anthropic: { autoCache: false } }`). */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The service may search the web itself while it answers, with its own tool; one that has none refuses. */
  readonly webSearch?: WebSearch;
  readonly timeouts?: Timeouts;
  /** How often this request may be retried; 0: never. Default: the client's own number. */
  readonly maxRetries?: number;
  readonly abortSignal?: AbortSignal;
};
