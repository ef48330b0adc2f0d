import type { Disk } from '@attractor/system';
import { decodedLines, rawLines, readLine, type JournalLine, type LinePlace } from './journal-lines.ts';
import type { JournalRecord } from './journal.ts';
import { decodeBytes, isSound } from './record.ts';

/** `left`: the position of the line whose output was left out; absent if the record has it. */
export type OutlinedLine = Omit<JournalLine, 'text'> & { readonly left?: LinePlace };

/**
 * The records of a journal as from `journalLines`, without what a fold does not need: a tool call's long output is left out, and a call's
 * start has only the call and the tool. The rest is skipped after a check that it is intact: the bulk of a journal is then neither decoded
 * nor kept.
 */
export function* outlinedLines(disk: Disk, file: string, from = 0): Generator<OutlinedLine, void> {
  for (const line of rawLines(disk, file, from)) {
    const { number, bytes: content, end, whole } = line;
    const bytes = content.length;
    const withoutOutput = bytes < LONG_BYTES ? null : endOf(content);
    const record = withoutOutput ?? startOf(content) ?? decodeBytes(content);
    if (record === null) yield* decodedLines(line);
    else if (withoutOutput === null) yield { number, bytes, end, whole, record };
    else yield { number, bytes, end, whole, record, left: { start: end - bytes - (whole ? 1 : 0), bytes } };
  }
}

/** The output that was left out; null if the line can no longer be read. */
export function readOutput(disk: Disk, file: string, place: LinePlace): string | null {
  const output = readLine(disk, file, place)?.event['output'];
  return typeof output === 'string' ? output : null;
}

/** Shorter lines are quick to read whole. */
const LONG_BYTES = 2_048;

/**
 * How lines of the two most frequent kinds begin and end. Only texts that JSON writes unchanged match; a line that does not match is read
 * whole. Inside a JSON text every quote is escaped, so nothing in an output passes for what follows it.
 */
const START = beginningOf('TOOL_CALL_START', '"args":{');
const END = beginningOf('TOOL_CALL_END', '"output":"');
const BEHIND_OUTPUT = /","isError":(true|false)(?:,"workingDir":"([ !#-[\]-~]*)")?\},"crc":"[0-9a-f]{8}"\}$/;
const FITTING_BYTES = 512;

function beginningOf(kind: string, then: string): RegExp {
  const text = '([ !#-[\\]-~]*)';
  const call = `"kind":"${kind}","toolCallId":"${text}","toolName":"${text}",${then}`;
  return new RegExp(`^\\{"v":1,"seq":(\\d{1,15}),"at":"${text}","event":\\{${call.replace('{', '\\{')}`);
}

/** A call's start, without its arguments; null if the line is damaged or has another shape. */
function startOf(line: Buffer): JournalRecord | null {
  const [, seq, at, toolCallId, toolName] = START.exec(line.toString('latin1', 0, FITTING_BYTES)) ?? [];
  if (at === undefined || !isSound(line)) return null;
  return { v: 1, seq: Number(seq), at, event: { kind: 'TOOL_CALL_START', toolCallId, toolName, args: {} } };
}

/** A call's end, without its output; null if the line is damaged or has another shape. */
function endOf(line: Buffer): JournalRecord | null {
  const [, seq, at, toolCallId, toolName] = END.exec(line.toString('latin1', 0, FITTING_BYTES)) ?? [];
  const [, isError, workingDir] = BEHIND_OUTPUT.exec(line.toString('latin1', line.length - FITTING_BYTES)) ?? [];
  if (at === undefined || isError === undefined || !isSound(line)) return null;
  const event = {
    kind: 'TOOL_CALL_END',
    toolCallId: ownText(toolCallId),
    toolName: ownText(toolName),
    isError: isError === 'true',
  };
  return { v: 1, seq: Number(seq), at, event: workingDir === undefined ? event : { ...event, workingDir } };
}

/** A substring keeps the whole original in memory; these two are kept as long as the history is. */
function ownText(cut = ''): string {
  return Buffer.from(cut, 'latin1').toString('latin1');
}
