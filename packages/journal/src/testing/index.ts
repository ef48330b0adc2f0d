export { outlinedLines } from '../journal/outline.ts';
export { outlineRecords, readRecords } from '../journal/read-journal.ts';
export { encodeRecord, toRecord } from '../journal/record.ts';
export type { ForeignStep } from '../sessions/foreign/conversation.ts';
export { eventsOfSteps } from '../sessions/foreign/events.ts';
export { journalOf } from '../sessions/place.ts';
export { eventsOf, type MadeConversation } from './conversation-events.ts';
export { anyConversation } from './conversations.ts';
