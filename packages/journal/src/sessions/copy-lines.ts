import { encodeRecord, toStoredRecord } from '../journal/record.ts';

/** A record's line for another session's journal; it is rewritten only if it names its session. */
export function lineFor(sessionId: string, line: string): string {
  if (!NAMES_ITS_SESSION.test(line)) return `${line}\n`;
  const record = toStoredRecord(line);
  if (record === null || record.event['sessionId'] === sessionId) return `${line}\n`;
  return encodeRecord({ ...record, event: { ...record.event, sessionId } });
}

/** Records begin alike, so the event's kind is visible without parsing everything. */
const NAMES_ITS_SESSION = /^\{"v":\d+,"seq":\d+,"at":"[^"]*","event":\{"kind":"(?:SESSION_START|SESSION_ABOUT)"/;
