import type { DeliveredEvent } from '../types/index.ts';
import type { JournalRecord } from './journal.ts';

/**
 * One line a record: `{"v":1,"seq":…,"at":…,"event":{…},"side":[…]?,"sum":"xxxxxxxx"}`.
 * `sum`, always last, is a checksum of all before it. `side` names the files that hold strings too large for the line.
 */
export type StoredRecord = JournalRecord & { readonly side?: ReadonlyArray<SideString> };

/** A string of the event that stands in a file named after the hash of its content; `at` leads to its place in the event. */
export type SideString = {
  readonly at: ReadonlyArray<string | number>;
  readonly sha256: string;
  readonly bytes: number;
};

const SUM = /,"sum":"([0-9a-f]{8})"\}$/;
const ANY_SUM = /,"sum":"[0-9a-f]{8}"\}/g;
const SHA256 = /^[0-9a-f]{64}$/;

export function toRecord(event: DeliveredEvent): JournalRecord {
  const { seq, at, sessionId, ...rest } = event;
  const named = event.kind === 'SESSION_START' || event.kind === 'SESSION_END' || event.kind === 'SESSION_RESUMED';
  const plain = rest.kind === 'ERROR' ? { ...rest, error: describeError(rest.error) } : rest;
  return { v: 1, seq, at, event: named ? { ...plain, sessionId } : plain };
}

export function encodeRecord(record: StoredRecord): string {
  const body = JSON.stringify(record).slice(0, -1);
  return `${body},"sum":"${checksum(body)}"}\n`;
}

/** Null when the line is damaged. Takes a line without its end; its bytes, where they are at hand, are summed up faster. */
export function decodeRecord(line: string, bytes?: Uint8Array): StoredRecord | null {
  const sum = SUM.exec(line.slice(-20));
  if (sum === null) return null;
  const isPlain = bytes !== undefined && bytes.length === line.length;
  const found = isPlain ? checksumOfPlain(bytes, line.length - 18) : checksum(line, line.length - 18);
  if (found !== sum[1]) return null;
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value)) return null;
    const { v, seq, at, event, side } = value;
    return side === undefined ? { v, seq, at, event } : { v, seq, at, event, side };
  } catch {
    return null;
  }
}

export type SalvagedLine = { readonly text: string; readonly record: StoredRecord };

/** At how many places a damaged line is tried; lines of ours are short. */
const MAX_TRIES = 16;

/**
 * The two records of a line whose newline was damaged, or none. Only a first record from the line's start and a last one to its end
 * are looked for: what stands inside an event can never pass for a record.
 */
export function salvage(line: string): ReadonlyArray<SalvagedLine> {
  for (const { index } of [...line.matchAll(ANY_SUM)].slice(0, MAX_TRIES)) {
    const end = index + 18;
    const first = decodeLine(line.slice(0, end));
    if (first.length > 0) return [...first, ...decodeLine(line.slice(end + 1))];
  }
  return [];
}

function decodeLine(text: string): ReadonlyArray<SalvagedLine> {
  const record = decodeRecord(text);
  return record === null ? [] : [{ text, record }];
}

function isRecord(value: unknown): value is StoredRecord {
  return (
    isObject(value) &&
    typeof value['v'] === 'number' &&
    Number.isSafeInteger(value['seq']) &&
    typeof value['at'] === 'string' &&
    isObject(value['event']) &&
    typeof value['event']['kind'] === 'string' &&
    (value['side'] === undefined || (Array.isArray(value['side']) && value['side'].every(isSideString)))
  );
}

function isSideString(value: unknown): value is SideString {
  return (
    isObject(value) &&
    Array.isArray(value['at']) &&
    value['at'].every((key) => typeof key === 'string' || typeof key === 'number') &&
    typeof value['sha256'] === 'string' &&
    SHA256.test(value['sha256']) &&
    typeof value['bytes'] === 'number'
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describeError(error: Error): Record<string, unknown> {
  return { name: error.name, message: error.message, ...('code' in error ? { code: error.code } : {}) };
}

/** FNV-1a over the code units: finds damage, proves nothing. */
function checksum(text: string, length = text.length): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return asHex(hash);
}

/** The same where each character is one byte. */
function checksumOfPlain(bytes: Uint8Array, length: number): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < length; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  return asHex(hash);
}

function asHex(hash: number): string {
  return (hash >>> 0).toString(16).padStart(8, '0');
}
