import type { ContentPart, ImagePart, TextPart } from '@attractor/llm';

/** `parts`, if given, is the message with its images in their order; `content` is its text. */
export type UserTurn = {
  readonly kind: 'user';
  readonly content: string;
  readonly parts?: ReadonlyArray<TextPart | ImagePart>;
  /** The steps that came with it. */
  readonly todo?: ReadonlyArray<string>;
};

/** An answer of the model, with its calls and, if the provider signs it, its thinking. */
export type AssistantTurn = { readonly kind: 'assistant'; readonly content: ReadonlyArray<ContentPart> };

/** One entry for each call of the assistant turn before it, in the order of the calls. */
export type ToolResultsTurn = { readonly kind: 'tool_results'; readonly results: ReadonlyArray<ToolResultEntry> };

/** What the model sees of one call. */
export type ToolResultEntry = {
  readonly toolCallId: string;
  readonly output: string;
  readonly isError: boolean;
  readonly images?: ReadonlyArray<ImagePart>;
};

/** Said by Attractor itself, not by a person. */
export type SystemTurn = { readonly kind: 'system'; readonly content: string };

/** What a person says while the model works; the model sees it as a user message. */
export type SteeringTurn = {
  readonly kind: 'steering';
  readonly content: string;
  /** What produced it in a person's place; absent: a person. */
  readonly source?: 'loop_detection' | 'hook' | 'memory' | 'agent';
};

/** What a conversation is made of; models see it as messages. */
export type Turn = UserTurn | AssistantTurn | ToolResultsTurn | SystemTurn | SteeringTurn;
