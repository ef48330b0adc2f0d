export type { DamagedRecord, Journal, JournalRecord } from './journal.ts';
export { JournalError } from './error.ts';
export type { FileJournal } from './file-journal.ts';
export { openJournal } from './file-journal.ts';
export { createMemoryJournal } from './memory-journal.ts';
export type { JournalContent } from './read-journal.ts';
export { readJournal } from './read-journal.ts';
export { acquireLock, type Lock } from './lock.ts';
export { fateOf, identityOf, ownIdentity, type ProcessIdentity } from './process-identity.ts';
