import { encodeRecord, toStoredRecord } from '../journal/record.ts';

/** The line of a record as it stands in another session's journal; only where it says whose it is, it is written anew. */
export function lineFor(sessionId: string, line: string): string {
  if (!NAMES_ITS_SESSION.test(line)) return `${line}\n`;
  const record = toStoredRecord(line);
  if (record === null || record.event['sessionId'] === sessionId) return `${line}\n`;
  return encodeRecord({ ...record, event: { ...record.event, sessionId } });
}

/** Records begin alike, so the kind of the event can be seen without reading all of it. */
const NAMES_ITS_SESSION = /^\{"v":\d+,"seq":\d+,"at":"[^"]*","event":\{"kind":"(?:SESSION_START|SESSION_ABOUT)"/;
