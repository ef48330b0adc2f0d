import type { DeliveredEvent } from '../types/index.ts';
import type { JournalRecord } from './journal.ts';

/** Stored per line: the record as JSON, its last field `sum` a checksum of all before it. */
const SUM = /,"sum":"([0-9a-f]{8})"\}$/;

export function toRecord(event: DeliveredEvent): JournalRecord {
  const { seq, at, sessionId, ...rest } = event;
  const named = event.kind === 'SESSION_START' || event.kind === 'SESSION_END' || event.kind === 'SESSION_RESUMED';
  const plain = rest.kind === 'ERROR' ? { ...rest, error: describeError(rest.error) } : rest;
  return { v: 1, seq, at, event: named ? { ...plain, sessionId } : plain };
}

export function encodeRecord(record: JournalRecord): string {
  const body = JSON.stringify(record).slice(0, -1);
  return `${body},"sum":"${checksum(body)}"}\n`;
}

/** Null when the line is damaged. A record of a later version comes back as it is. */
export function decodeRecord(line: string): JournalRecord | null {
  const sum = SUM.exec(line);
  if (sum !== null && checksum(line.slice(0, sum.index)) !== sum[1]) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? { v: value.v, seq: value.seq, at: value.at, event: value.event } : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is JournalRecord {
  return (
    isObject(value) &&
    typeof value['v'] === 'number' &&
    Number.isInteger(value['seq']) &&
    typeof value['at'] === 'string' &&
    isObject(value['event']) &&
    typeof value['event']['kind'] === 'string'
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describeError(error: Error): Record<string, unknown> {
  return { name: error.name, message: error.message, ...('code' in error ? { code: error.code } : {}) };
}

/** FNV-1a over the code units: finds damage, proves nothing. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
