import { eventOf, journalOf, readRecords, type SessionSummary } from '@attractor/journal';
import { createClaudeEntries, titleEntry } from '@attractor/stream-json';
import { VERSION } from '../version.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A session as a transcript of Claude Code: what was said in it, and its title. */
export function* claudeTranscript(home: string, session: SessionSummary): Generator<Fields, void> {
  const { id: sessionId, cwd, title } = session;
  const entryOf = createClaudeEntries({ sessionId, cwd, version: VERSION });
  let isEmpty = true;
  for (const record of readRecords(journalOf(home, sessionId))) {
    const event = eventOf(record);
    const entry = event === null ? null : entryOf({ ...event, seq: record.seq, at: record.at, sessionId });
    if (entry === null) continue;
    isEmpty = false;
    yield entry;
  }
  if (!isEmpty && title !== '') yield titleEntry(sessionId, title);
}
