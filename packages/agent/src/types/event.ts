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
} from '../journal/events/event.ts';
export type { Answers, Question, QuestionOption } from '../journal/events/question.ts';
export type { Subagent, SubagentResult, SubagentStatus } from '../journal/events/subagent.ts';
