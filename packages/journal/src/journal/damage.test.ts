import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryDisk, type MemoryDisk } from '@attractor/system/testing';
import { runs } from '@attractor/base/testing';
import type { DeliveredEvent } from '../events/event.ts';
import { openJournal } from './file-journal.ts';
import type { DamagedRecord, JournalRecord } from './journal.ts';
import { journalLines } from './journal-lines.ts';
import { readRecords } from './read-journal.ts';
import { encodeRecord } from './record.ts';

const FILE = '/home/session/journal.jsonl';
const EVENTS = 200;

const delivered = (seq: number): DeliveredEvent => {
  const common = { seq, at: '2026-01-01T00:00:00.000Z', sessionId: 'ses_1' };
  const id = `call_${seq}`;
  if (seq % 4 === 1) return { ...common, kind: 'USER_INPUT', content: `input ${seq} "ça va" 漢字 🎉 {"v":1}` };
  if (seq % 4 === 2)
    return {
      ...common,
      kind: 'ASSISTANT_MESSAGE',
      content: [{ kind: 'TOOL_CALL', toolCallId: id, toolName: 'shell', args: { command: 'ls\n-l', sum: 'deadbeef' } }],
      usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
      responseId: `r${seq}`,
      model: 'm',
    };
  if (seq % 4 === 3) return { ...common, kind: 'TOOL_CALL_START', toolCallId: id, toolName: 'shell', args: {} };
  return {
    ...common,
    kind: 'TOOL_CALL_END',
    toolCallId: id,
    toolName: 'shell',
    output: 'x'.repeat(seq),
    isError: false,
  };
};

/** A journal of 200 events, its bytes, its records, and where each of its lines begins. */
const sample = () => {
  const disk = createMemoryDisk();
  const journal = openJournal(FILE, { disk });
  for (let seq = 1; seq <= EVENTS; seq++) journal.append(delivered(seq));
  journal.close();
  const bytes = Buffer.from(disk.content(FILE));
  const starts = [0, ...[...bytes.entries()].flatMap(([index, byte]) => (byte === 10 ? [index + 1] : []))];
  return { bytes, starts, truth: read(disk).records };
};

const read = (disk: MemoryDisk) => {
  const damaged: DamagedRecord[] = [];
  const records = [...readRecords(FILE, { disk, onDamage: (one) => void damaged.push(one) })];
  return { records, damaged };
};

const diskWith = (bytes: Buffer): MemoryDisk => {
  const disk = createMemoryDisk();
  disk.put(FILE, bytes);
  return disk;
};

describe('a journal of 200 events', () => {
  it('cut at every byte loses only the record it was cut in, and reports it', () => {
    const { bytes, starts, truth } = sample();
    const seqs = (records: Iterable<JournalRecord | null>) => [...records].map((record) => record?.seq ?? null);
    for (let line = 0; line < EVENTS; line++) {
      const start = starts[line] ?? 0;
      const end = starts[line + 1] ?? 0;
      const from = starts[Math.max(0, line - 2)] ?? 0;
      const before = seqs(truth.slice(Math.max(0, line - 2), line));
      for (let cut = start; cut < end; cut++) {
        const left = [...journalLines(diskWith(bytes.subarray(0, cut)), FILE, from)].map(({ record }) => record);
        const torn = cut === start ? [] : [cut === end - 1 ? line + 1 : null];
        if (JSON.stringify(seqs(left)) !== JSON.stringify([...before, ...torn]))
          expect({ cut, left: seqs(left) }).toEqual({ cut, left: [...before, ...torn] });
      }
    }
    expect(bytes.length).toBeGreaterThan(20_000);
  });

  it('cut anywhere goes on with the next record', () => {
    const { bytes, starts, truth } = sample();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length }), (cut) => {
        const disk = diskWith(bytes.subarray(0, cut));
        const journal = openJournal(FILE, { disk });
        journal.append({ ...delivered(1), seq: 999 });
        journal.close();
        const whole = starts.filter((start) => start > 0 && start - 1 <= cut).length;
        const { records, damaged } = read(disk);
        expect(records.slice(0, -1)).toEqual(truth.slice(0, whole));
        expect(records.at(-1)?.seq).toBe(999);
        expect(damaged).toHaveLength(starts.includes(cut) || starts.includes(cut + 1) ? 0 : 1);
      }),
      { numRuns: runs(100, 20_000) },
    );
  });

  it('with any bit flipped loses at most the record it is in, and never gives back a changed one', () => {
    const { bytes, starts, truth } = sample();
    const known = new Map(truth.map((record) => [record.seq, JSON.stringify(record)]));
    const flips = runs(500, 200_000);
    for (let flip = 0; flip < flips; flip++) {
      const bit = Math.floor(((flip + 0.5) / flips) * bytes.length * 8) ^ (flip & 7);
      const place = bit >> 3;
      const line = starts.findLastIndex((start) => start <= place);
      const from = starts[Math.max(0, line - 1)] ?? 0;
      const until = starts[Math.min(EVENTS, line + 3)] ?? bytes.length;
      const damagedBytes = Buffer.from(bytes.subarray(0, until));
      damagedBytes[place] = (damagedBytes[place] ?? 0) ^ (1 << (bit & 7));
      const left = [...journalLines(diskWith(damagedBytes), FILE, from)].flatMap(({ record }) => record ?? []);
      const expected = starts.filter((start) => start >= from && start < until).length;
      expect(left.length).toBeGreaterThanOrEqual(expected - 1);
      for (const record of left) expect(JSON.stringify(record)).toBe(known.get(record.seq));
    }
  });
});

describe('damage of other kinds', () => {
  const whole = [1, 2, 3].map((seq) => encodeRecord({ v: 1, seq, at: '', event: { kind: 'K', seq } }));
  const seqsOf = (text: string): ReadonlyArray<number> =>
    read(diskWith(Buffer.from(text))).records.map(({ seq }) => seq);

  it.each([
    ['an empty file', '', []],
    ['only newlines', '\n\n\n', []],
    ['a tail of NULs', `${whole.join('')}${'\0'.repeat(5000)}`, [1, 2, 3]],
    ['garbage in the middle', `${whole[0]}garbage \xff\n${whole[1]}${whole[2]}`, [1, 2, 3]],
    ['a line that is there twice', `${whole[0]}${whole[1]}${whole[1]}${whole[2]}`, [1, 2, 3]],
    ['a whole part that is there twice', `${whole.join('')}${whole.join('')}`, [1, 2, 3]],
    ['two records on one line', `${whole[0]?.trimEnd()}*${whole[1]}${whole[2]}`, [1, 2, 3]],
    ['lines that end as on Windows', whole.join('').replaceAll('\n', '\r\n'), [1, 2, 3]],
  ])('%s crashes nothing and hides no record beside it', (_, text, expected) => {
    expect(seqsOf(text)).toEqual(expected);
  });

  it('never takes what stands inside an event for a record', () => {
    const inner = encodeRecord({ v: 1, seq: 7, at: '', event: { kind: 'FORGED' } }).trimEnd();
    const line = encodeRecord({ v: 1, seq: 1, at: '', event: { kind: 'K', text: inner, value: JSON.parse(inner) } });
    for (let byte = 0; byte < line.length; byte++) {
      const bytes = Buffer.from(line);
      bytes[byte] = (bytes[byte] ?? 0) ^ 1;
      expect(read(diskWith(bytes)).records.every(({ event }) => event.kind === 'K')).toBe(true);
    }
  });
});
