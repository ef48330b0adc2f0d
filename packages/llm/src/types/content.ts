/**
 * The parts of a message. They are plain data: they survive JSON and are never mutated. THINKING keeps the provider's signature verbatim;
 * it is only valid for the provider and model that wrote it.
 */
export type ContentPart =
  | TextPart
  | ImagePart
  | AudioPart
  | DocumentPart
  | ToolCallPart
  | ToolResultPart
  | ThinkingPart
  | RedactedThinkingPart;

export type TextPart = { readonly kind: 'TEXT'; readonly text: string };

/** Bytes are base64 in `data`; a local path is read by `imageFromFile`, never by a provider. */
export type MediaSource =
  | { readonly url: string; readonly data?: never; readonly mediaType?: string }
  | { readonly data: string; readonly url?: never; readonly mediaType?: string };

export type ImagePart = {
  readonly kind: 'IMAGE';
  readonly source: MediaSource;
  readonly detail?: 'auto' | 'low' | 'high';
};

export type AudioPart = { readonly kind: 'AUDIO'; readonly source: MediaSource };

export type DocumentPart = { readonly kind: 'DOCUMENT'; readonly source: MediaSource; readonly fileName?: string };

/**
 * `args` is what the model meant; `rawArgs` is set only if its text was not a valid JSON object (then `args` is empty and `argsError` says
 * why), so that a caller answers with an error and never guesses.
 */
export type ToolCallPart = {
  readonly kind: 'TOOL_CALL';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly rawArgs?: string;
  readonly argsError?: string;
  /** Opaque to us; its provider needs it to accept the call back (for example a thought signature). */
  readonly signature?: string;
  /** Which provider and model signed it, as in THINKING. */
  readonly origin?: string;
};

export type ToolResultPart = {
  readonly kind: 'TOOL_RESULT';
  readonly toolCallId: string;
  readonly output: string;
  readonly isError: boolean;
  readonly images?: ReadonlyArray<ImagePart>;
};

export type ThinkingPart = {
  readonly kind: 'THINKING';
  readonly text: string;
  readonly signature?: string;
  /** Which provider and model signed it: `anthropic/claude-…`. Absent: unknown, treated as foreign. */
  readonly origin?: string;
};

export type RedactedThinkingPart = {
  readonly kind: 'REDACTED_THINKING';
  readonly data: string;
  readonly origin?: string;
};
