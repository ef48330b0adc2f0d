import { createHash } from 'node:crypto';
import type { JournalRecord } from '../journal/journal.ts';

/** The UUID (version 5) by which programs know what is said in a record: always the same one, so that nothing has to keep it. */
export function recordUuid(sessionId: string, seq: number): string {
  const hex = createHash('sha1').update(`${sessionId}:${seq}`).digest('hex');
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const NAMED: ReadonlySet<string> = new Set(['USER_INPUT', 'ASSISTANT_MESSAGE', 'TOOL_CALL_END']);

/** Whether a record has this name: its own, one that it had in a session which this one was copied from, or one that its sender gave it. */
export function isNamed({ seq, event }: JournalRecord, uuid: string, sessionIds: ReadonlyArray<string>): boolean {
  if (!NAMED.has(event.kind)) return false;
  return event['key'] === uuid || sessionIds.some((id) => recordUuid(id, seq) === uuid);
}
