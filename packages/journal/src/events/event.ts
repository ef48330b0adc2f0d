import type { ContentPart, ImagePart, ModelFamily, ReasoningEffort, TextPart, Usage } from '@attractor/llm';

import type { Answers, Question } from './question.ts';
import type { SubagentResult, SubagentStatus } from './subagent.ts';

/**
 * What happens in a session. Starts, deltas, ends: an end carries the whole value, deltas are never stored. ASSISTANT_MESSAGE ends every
 * model reply and is what resume reads; TOOL_CALL_END carries the full output.
 */
export type SessionEvent =
  | { readonly kind: 'SESSION_START'; readonly sessionId: string }
  | { readonly kind: 'SESSION_RESUMED'; readonly sessionId: string; readonly interrupted: ReadonlyArray<string> }
  | { readonly kind: 'SESSION_END'; readonly sessionId: string; readonly reason?: SessionEndReason }
  /** Built once and sent unchanged with every request, so that providers can cache it. */
  | { readonly kind: 'SYSTEM_PROMPT'; readonly content: string }
  | {
      readonly kind: 'USER_INPUT';
      readonly content: string;
      readonly parts?: InputParts;
      /** The steps of the work that it asks for: the list of steps begins with them. */
      readonly todo?: ReadonlyArray<string>;
      /** What its sender calls it. */
      readonly key?: string;
      readonly isFollowUp?: boolean;
    }
  | { readonly kind: 'FOLLOW_UP_QUEUED'; readonly content: string; readonly parts?: InputParts }
  /** A hook refused the input before it was accepted: it does not enter the history. */
  | { readonly kind: 'USER_INPUT_REFUSED'; readonly reason: string; readonly isFollowUp?: boolean }
  /** `key`: under which its sender gave it. */
  | { readonly kind: 'STEERING_QUEUED'; readonly content: string; readonly source?: 'hook'; readonly key?: string }
  | {
      readonly kind: 'STEERING_INJECTED';
      readonly content: string;
      readonly source?: 'loop_detection' | 'hook' | 'memory' | 'agent';
    }
  | { readonly kind: 'ASSISTANT_TEXT_START' }
  | { readonly kind: 'ASSISTANT_TEXT_DELTA'; readonly text: string }
  | { readonly kind: 'ASSISTANT_TEXT_END' }
  /** The stream broke: forget what was shown since ASSISTANT_TEXT_START; the model is asked again. */
  | { readonly kind: 'ASSISTANT_TEXT_DISCARDED'; readonly reason: string }
  | { readonly kind: 'THINKING_DELTA'; readonly text: string }
  | AssistantMessageEvent
  /** An answer with nothing to act on. It does not enter the history, but was paid for. */
  | { readonly kind: 'ANSWER_UNUSED'; readonly usage: Usage; readonly responseId: string; readonly model: string }
  | {
      readonly kind: 'TOOL_CALL_START';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly readOnly?: boolean;
    }
  | { readonly kind: 'TOOL_CALL_OUTPUT_DELTA'; readonly toolCallId: string; readonly text: string }
  | ToolCallEndEvent
  | {
      readonly kind: 'APPROVAL_REQUESTED';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly contentHash?: string;
    }
  | {
      readonly kind: 'APPROVAL_ANSWERED';
      readonly toolCallId: string;
      readonly allowed: boolean;
      readonly reason?: string;
      /** A hash of what this answer allows: a resumed session runs that and does not ask again. */
      readonly contentHash?: string;
      /** What a person substituted for the model's arguments. */
      readonly args?: Readonly<Record<string, unknown>>;
      readonly remembered?: { readonly rules: ReadonlyArray<string>; readonly file: string | null };
    }
  /** The policy denied it, or asked when nobody can answer. The model gets the reason as the call's result. */
  | {
      readonly kind: 'PERMISSION_DENIED';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly reason: string;
      readonly part?: string;
      readonly rule?: string;
    }
  | HookStartedEvent
  | HookProgressEvent
  | HookEndedEvent
  /** What hooks decided about a call before it was judged. A resumed session uses it and does not ask them again. */
  | ({ readonly kind: 'HOOK_DECIDED'; readonly toolCallId: string } & HookDecision)
  /** The model asks the person; the session waits until there is an answer, across any number of processes. */
  | { readonly kind: 'QUESTION_ASKED'; readonly toolCallId: string; readonly questions: ReadonlyArray<Question> }
  | { readonly kind: 'QUESTION_ANSWERED'; readonly toolCallId: string; readonly answers: Answers }
  /** A person's command to the session itself, such as /compact. It is not a turn: the model never sees it. */
  | {
      readonly kind: 'COMMAND_INPUT';
      readonly name: 'compact' | 'remember';
      readonly text: string;
      readonly isFollowUp?: boolean;
    }
  | CompactedEvent
  /** Takes effect with the next model request, also after a resume. */
  | ({ readonly kind: 'CONFIGURED' } & ConfiguredFields)
  | { readonly kind: 'TURN_LIMIT'; readonly reason: 'max_tool_rounds' | 'max_turns' }
  | { readonly kind: 'LOOP_DETECTION'; readonly message: string }
  | { readonly kind: 'CONTEXT_WARNING'; readonly usagePercent: number }
  /** `no_answer`: unless another answer follows, the input ends with none: the model said nothing, or its service ended what it said. */
  | { readonly kind: 'WARNING'; readonly message: string; readonly about?: 'no_answer' }
  /** Tokens of the session so far, including finished subagents. */
  | { readonly kind: 'USAGE'; readonly usage: Usage }
  /** The provider can't be reached: nothing is lost, and the request is retried until the session's patience ends. */
  | {
      readonly kind: 'CONNECTION_LOST';
      readonly message: string;
      readonly retryInMs: number;
      /** Which retry this will be, and what the service answered, if it did. */
      readonly attempt?: number;
      readonly status?: number;
    }
  /** `attempts`: how often it was tried in vain. */
  | { readonly kind: 'CONNECTION_RESTORED'; readonly attempts?: number }
  | { readonly kind: 'ERROR'; readonly error: Error }
  /** `interrupted`: a person stopped this input, and what was queued behind it is dropped; the session goes on with the next one. */
  /** `hook_stopped`: a hook stopped it before the model was done; `message` says why. The session goes on with the next one, too. */
  | { readonly kind: 'PROCESSING_END'; readonly reason?: 'interrupted' | 'hook_stopped'; readonly message?: string }
  | {
      readonly kind: 'SUBAGENT_START';
      readonly subagentId: string;
      /** The session (and journal) of the child. */
      readonly childSessionId: string;
      readonly instruction: string;
      /** The type of agent. Absent: the same as its parent. */
      readonly agent?: string;
      readonly model?: string;
      readonly maxTurns?: number;
      /** The checkout that it works in alone. Absent: it works where its parent does. */
      readonly worktree?: string;
    }
  | {
      readonly kind: 'SUBAGENT_END';
      readonly subagentId: string;
      readonly status: Exclude<SubagentStatus, 'running'>;
      readonly result: SubagentResult;
      /** Everything the child used, its own children included, and its model. */
      readonly usage?: Usage;
      readonly model?: string;
    }
  /** Shown, never stored here: it is in the child's own journal. */
  | { readonly kind: 'SUBAGENT_EVENT'; readonly subagentId: string; readonly event: SessionEvent };

export type HookStartedEvent = {
  readonly kind: 'HOOK_STARTED';
  readonly hookId: string;
  /** PreToolUse and its like. */
  readonly event: string;
  /** The command, the address, or the name of the function. */
  readonly handler: string;
  readonly toolCallId?: string;
  readonly statusMessage?: string;
};

/** All that a hook's program said so far. Shown, never stored: the end has it. */
export type HookProgressEvent = {
  readonly kind: 'HOOK_PROGRESS';
  readonly hookId: string;
  readonly event: string;
  readonly handler: string;
  readonly toolCallId?: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order in which they came. */
  readonly output: string;
};

/** `error` and `timeout` let the work continue unless the hook fails closed. */
export type HookEndedEvent = {
  readonly kind: 'HOOK_ENDED';
  readonly hookId: string;
  readonly event: string;
  readonly handler: string;
  readonly status: 'success' | 'blocked' | 'error' | 'timeout' | 'cancelled';
  readonly durationMs: number;
  readonly toolCallId?: string;
  readonly exitCode?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly problem?: string;
  /** For the terminal of the person, if there is one. */
  readonly terminalSequence?: string;
};

/** `args`: what runs in place of the model's arguments; `context`: what the model is told with the result. */
export type HookDecision = {
  readonly decision: 'allow' | 'ask' | 'defer' | 'deny' | 'none';
  readonly reason?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly context?: ReadonlyArray<string>;
};

/**
 * From here on the model is sent `prefix`, byte for byte, and the last `keptTurns` of the turns so far, instead of all of them. Nothing
 * else is needed to make the same request again; the rest stays in the journal under `id`.
 */
export type CompactedEvent = {
  readonly kind: 'COMPACTED';
  readonly id: string;
  readonly trigger: 'auto' | 'manual' | 'overflow';
  readonly prefix: string;
  /** The part of the prefix that replaces what was left out; the next compaction builds on it. */
  readonly summary: string;
  readonly keptTurns: number;
  /** What made the summary: a model, or the session without one. */
  readonly source: 'model' | 'digest';
  /** Estimated. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** For all attempts at a summary. */
  readonly usage?: Usage;
  readonly model?: string;
};

export type InputParts = ReadonlyArray<TextPart | ImagePart>;

export type ConfiguredFields = {
  readonly model?: string;
  readonly provider?: string;
  readonly profile?: ModelFamily;
  readonly reasoningEffort?: ReasoningEffort | null;
  /** What the session is called in lists. */
  readonly title?: string;
};

export type EventKind = SessionEvent['kind'];

export type AssistantMessageEvent = {
  readonly kind: 'ASSISTANT_MESSAGE';
  readonly content: ReadonlyArray<ContentPart>;
  readonly usage: Usage;
  readonly responseId: string;
  readonly model: string;
  /** Why the model could not finish its reply. Absent: it finished. */
  readonly cutShort?: 'length' | 'content_filter';
};

export type ToolCallEndEvent = {
  readonly kind: 'TOOL_CALL_END';
  readonly toolCallId: string;
  readonly toolName: string;
  /** Whole and untruncated; the model sees `truncateToolOutput` of it. */
  readonly output: string;
  readonly isError: boolean;
  readonly images?: ReadonlyArray<ImagePart>;
  /** The call changed the session's folder: commands start there from now on, also after a resume. */
  readonly workingDir?: string;
};

/** `aborted`: a person stopped the work. `closed`: the process ends, and the work continues from the journal. `error`: see ERROR. */
export type SessionEndReason = 'closed' | 'aborted' | 'error';

/**
 * An event as delivered: `seq` orders, `at` (ISO time) only informs. Events that are not stored (starts and deltas of text, usage) carry
 * the `seq` of the stored event before them, so that reading on "after seq" never skips one.
 */
export type DeliveredEvent = SessionEvent & { readonly seq: number; readonly at: string; readonly sessionId: string };
