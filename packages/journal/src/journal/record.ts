import { isRecord } from '@attractor/base';
import { checksum } from './checksum.ts';
import type { DeliveredEvent } from '../events/event.ts';
import type { JournalRecord } from './journal.ts';

/**
 * One line per record: `{"v":1,"seq":…,"at":…,"event":{…},"side":[…]?,"crc":"xxxxxxxx"}`.
 * `crc`, always last, is the CRC-32 of all bytes before it (in older journals it is `sum`, another checksum). `side` names the files with
 * strings too large for the line.
 */
export type StoredRecord = JournalRecord & { readonly side?: ReadonlyArray<SideString> };

/** A string of the event that is in a file named after the hash of its content; `at` is its path in the event. */
export type SideString = {
  readonly at: ReadonlyArray<string | number>;
  readonly sha256: string;
  readonly bytes: number;
};

const END_LENGTH = 18;
const ANY_SUM = /,"(?:crc|sum)":"[0-9a-f]{8}"\}/g;
const SHA256 = /^[0-9a-f]{64}$/;

export function toRecord(event: DeliveredEvent): JournalRecord {
  const { seq, at, sessionId, ...rest } = event;
  const named = event.kind === 'SESSION_START' || event.kind === 'SESSION_END' || event.kind === 'SESSION_RESUMED';
  const plain = rest.kind === 'ERROR' ? { ...rest, error: describeError(rest.error) } : rest;
  return { v: 1, seq, at, event: named ? { ...plain, sessionId } : plain };
}

export function encodeRecord(record: StoredRecord): string {
  const body = JSON.stringify(record).slice(0, -1);
  return `${body},"crc":"${checksum(body).toString(16).padStart(8, '0')}"}\n`;
}

/** Null if the line is damaged. Takes a line without its newline. */
export function decodeRecord(line: string): StoredRecord | null {
  return isSumOf(line.slice(0, -END_LENGTH), line.slice(-END_LENGTH)) ? toStoredRecord(line) : null;
}

/** The same from bytes. */
export function decodeBytes(line: Buffer): StoredRecord | null {
  return isSound(line) ? toStoredRecord(line.toString('utf8')) : null;
}

/** Whether a line is as it was written. Takes its bytes without its newline. */
export function isSound(line: Buffer): boolean {
  const body = line.subarray(0, -END_LENGTH);
  return isSumOf(body, line.toString('latin1', body.length));
}

function isSumOf(body: string | Buffer, end: string): boolean {
  if (end.length !== END_LENGTH || !end.endsWith('"}')) return false;
  const sum = Number.parseInt(end.slice(8, 16), 16);
  if (end.startsWith(',"crc":"')) return sum === checksum(body);
  return end.startsWith(',"sum":"') && sum === olderSum(body.toString());
}

/** The record in an intact line; null if there is none. */
export function toStoredRecord(line: string): StoredRecord | null {
  try {
    // Without its checksum, which would take the engine as long as the rest of a short line: it looks up short texts in a table.
    const value: unknown = JSON.parse(`${line.slice(0, -END_LENGTH)}}`);
    return isStoredRecord(value) ? value : null;
  } catch {
    return null;
  }
}

export type SalvagedLine = { readonly text: string; readonly record: StoredRecord };

/** At how many places a damaged line is tried; our lines are short. */
const MAX_TRIES = 16;

/**
 * The two records of a line whose newline was damaged, or none. Only a first record from the line's start and a last one up to its end are
 * tried: text inside an event can never pass for a record.
 */
export function salvage(line: string): ReadonlyArray<SalvagedLine> {
  for (const { index } of [...line.matchAll(ANY_SUM)].slice(0, MAX_TRIES)) {
    const end = index + END_LENGTH;
    const first = decodeLine(line.slice(0, end));
    if (first.length > 0) return [...first, ...decodeLine(line.slice(end + 1))];
  }
  return [];
}

function decodeLine(text: string): ReadonlyArray<SalvagedLine> {
  const record = decodeRecord(text);
  return record === null ? [] : [{ text, record }];
}

function isStoredRecord(value: unknown): value is StoredRecord {
  return (
    isRecord(value) &&
    typeof value['v'] === 'number' &&
    Number.isSafeInteger(value['seq']) &&
    typeof value['at'] === 'string' &&
    isRecord(value['event']) &&
    typeof value['event']['kind'] === 'string' &&
    (value['side'] === undefined || (Array.isArray(value['side']) && value['side'].every(isSideString)))
  );
}

function isSideString(value: unknown): value is SideString {
  return (
    isRecord(value) &&
    Array.isArray(value['at']) &&
    value['at'].every((key) => typeof key === 'string' || typeof key === 'number') &&
    typeof value['sha256'] === 'string' &&
    SHA256.test(value['sha256']) &&
    typeof value['bytes'] === 'number'
  );
}

function describeError(error: Error): Record<string, unknown> {
  return { name: error.name, message: error.message, ...('code' in error ? { code: error.code } : {}) };
}

/** FNV-1a over the code units. */
function olderSum(text: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
