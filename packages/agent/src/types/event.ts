/** What happens in a session is owned by the journal, which keeps it. */
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
