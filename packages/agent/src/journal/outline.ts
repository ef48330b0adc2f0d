import type { Disk } from './disk.ts';
import { decodedLines, rawLines, readLine, type JournalLine, type LinePlace } from './journal-lines.ts';
import { isSound, toStoredRecord, type StoredRecord } from './record.ts';

/** `left`: where the line stands whose output was left out; absent where the record is whole. */
export type OutlinedLine = Omit<JournalLine, 'text'> & { readonly left?: LinePlace };

/** Shorter lines are soon read whole. */
const LONG_BYTES = 2_048;

/**
 * The records of a journal as `journalLines` gives them, but for long outputs of tool calls: those are passed over, after a look whether
 * they are sound, and stand as an empty text. What makes a journal large is then neither decoded nor kept.
 */
export function* outlinedLines(disk: Disk, file: string, from = 0): Generator<OutlinedLine, void> {
  for (const line of rawLines(disk, file, from)) {
    const { number, bytes, end, whole } = line;
    const record = bytes.length < LONG_BYTES ? null : withoutOutput(bytes);
    if (record === null) {
      yield* decodedLines(line);
      continue;
    }
    const start = end - bytes.length - (whole ? 1 : 0);
    yield { number, bytes: bytes.length, end, whole, record, left: { start, bytes: bytes.length } };
  }
}

/** The output that was left out; null when the line can't be read any more. */
export function readOutput(disk: Disk, file: string, place: LinePlace): string | null {
  const output = readLine(disk, file, place)?.event['output'];
  return typeof output === 'string' ? output : null;
}

/** Records begin alike, so that their kind is seen without reading all of them. Before the output stand only short texts. */
const BEGINNING = /^\{"v":1,"seq":\d+,"at":"[^"\\]*","event":\{"kind":"TOOL_CALL_END",[^[{]*?"output":"/;
const BEGINNING_BYTES = 1_024;
const END = Buffer.from('","');
const BACKSLASH = 92;

/** Null when the line is damaged or of another shape: it has to be read whole then. */
function withoutOutput(bytes: Buffer): StoredRecord | null {
  const beginning = BEGINNING.exec(bytes.toString('latin1', 0, BEGINNING_BYTES))?.[0];
  if (beginning === undefined) return null;
  const end = endOfText(bytes, beginning.length);
  if (end < 0 || !isSound(bytes)) return null;
  return toStoredRecord(`${bytes.toString('utf8', 0, beginning.length)}${bytes.toString('utf8', end)}`);
}

/** Inside a JSON text every quote has a backslash before it, so a quote, a comma and a quote are its end, or one that has and its end. */
function endOfText(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(END, from); at >= 0; at = bytes.indexOf(END, at + 1)) {
    let backslashes = 0;
    while (at - backslashes > from && bytes[at - backslashes - 1] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}
