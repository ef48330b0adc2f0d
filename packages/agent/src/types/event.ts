/** The events of a session belong to the journal, which stores them. */
export type {
  AssistantMessageEvent,
  CompactedEvent,
  ConfiguredFields,
  DeliveredEvent,
  EventKind,
  HookDecision,
  HookEndedEvent,
  HookStartedEvent,
  InputParts,
  SessionEndReason,
  SessionEvent,
  ToolCallEndEvent,
} from '@attractor/journal';
export type { Answers, Question, QuestionOption } from '@attractor/journal';
export type { Subagent, SubagentResult, SubagentStatus } from '@attractor/journal';
