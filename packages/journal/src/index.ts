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
} from './events/event.ts';
export type { Answers, Question, QuestionOption } from './events/question.ts';
export type { Subagent, SubagentResult, SubagentStatus } from './events/subagent.ts';
export { JournalError } from './journal/error.ts';
export { openJournal, type FileJournal } from './journal/file-journal.ts';
export type { DamagedRecord, Journal, JournalRecord } from './journal/journal.ts';
export { defineOutputOnce, lateOutputOf } from './journal/late-output.ts';
export { createMemoryJournal } from './journal/memory-journal.ts';
export { eventOf } from './journal/read-event.ts';
export { createHookOutputs } from './journal/hook-outputs.ts';
export { readJournal, readRecords } from './journal/read-journal.ts';
export { createEventRedactor, type EventRedactor } from './journal/redact-events.ts';
export { journalsBeside } from './journal/subagent-journals.ts';
export type {
  HeldSession,
  Rewound,
  SearchHit,
  SessionSummary,
  Sessions,
  SessionsError,
  SessionsResult,
} from './sessions/contract.ts';
export { FOREIGN_AGENTS, type ForeignAgent } from './sessions/foreign/conversation.ts';
export { findForeignSessions, type FoundSession } from './sessions/foreign/find-foreign.ts';
export { importForeignSession } from './sessions/foreign/import-session.ts';
export { openSessions } from './sessions/open-sessions.ts';
export { journalOf, outputFolder, shellsFolder, undoFolder } from './sessions/place.ts';
export { isNamed, recordUuid } from './sessions/record-names.ts';
export { partsOfRedo, type RedoParts } from './sessions/redo-parts.ts';
export { journalFiles } from './sessions/subagent-names.ts';
export type { TurnEntry } from './sessions/turns.ts';
