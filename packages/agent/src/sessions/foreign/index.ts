export type { ForeignAgent } from './conversation.ts';
export { findForeignSessions, type FindOptions, type FoundSession } from './find-foreign.ts';
export { type ForeignImport, importForeignSession, type ImportedSession } from './import-session.ts';
