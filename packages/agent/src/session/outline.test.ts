import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replay } from './replay.ts';
import { encodeRecord, eventsOf, outlinedLines, outlineRecords, readRecords } from '@attractor/journal/testing';
import { createMemoryDisk, type MemoryDisk } from '@attractor/system/testing';
import { runs } from '@attractor/base/testing';
import type { Disk } from '@attractor/system';
import { type DamagedRecord, defineOutputOnce, lateOutputOf, openJournal } from '@attractor/journal';

const FILE = '/home/session/journal.jsonl';

const diskWith = (lines: ReadonlyArray<string> | Buffer): MemoryDisk => {
  const disk = createMemoryDisk();
  disk.put(FILE, Buffer.isBuffer(lines) ? lines : Buffer.from(lines.join('')));
  return disk;
};

const endWith = (seq: number, event: Readonly<Record<string, unknown>>): string =>
  encodeRecord({ v: 1, seq, at: '', event: { kind: 'TOOL_CALL_END', toolCallId: `c${seq}`, ...event } });

/** Texts that look like the end of a text, or like the beginning of another output, and all that JSON escapes. */
const part = fc.constantFrom(
  '"',
  '\\',
  '","',
  ',"output":"',
  '"isError":true}',
  '\\"',
  '\n',
  '\u0001',
  'é',
  '漢',
  '🎉',
  '{',
  '[',
  'x'.repeat(2_100),
);
const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
const event = fc.oneof(
  fc.record({ toolName: text, output: text, isError: fc.boolean() }),
  fc.record({ output: text, toolName: text }),
  fc.record({ toolName: text, images: fc.array(fc.record({ output: text })), output: text }),
  fc.record({ toolName: fc.constant('shell'), output: text }),
  fc.record({ toolName: fc.constant('shell'), output: text, isError: fc.boolean(), workingDir: text }),
  fc.record({ toolName: fc.constant('shell'), output: text, isError: fc.boolean(), images: fc.array(text) }),
  fc.record({ isError: fc.boolean(), toolName: fc.constant('shell'), output: text }),
);

describe('an outline', () => {
  it('is made of the same records, whatever their outputs look like', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), (events) => {
        const disk = diskWith(events.map((one, index) => endWith(index + 1, one)));
        const whole = [...readRecords(FILE, { disk })];
        expect(whole).toHaveLength(events.length);
        expect(JSON.parse(JSON.stringify([...outlineRecords(FILE, { disk })]))).toEqual(whole);
      }),
      { numRuns: runs(100, 20_000) },
    );
  });

  it('passes over the output of a call that moved the session, and over what a start repeats', () => {
    const output = '"},"isError":true},"crc":"00000000"}'.repeat(100);
    const moved = endWith(1, { toolName: 'shell', output, isError: false, workingDir: 'packages/agent' });
    const call = { kind: 'TOOL_CALL_START', toolCallId: 'c2', toolName: 'write_file', args: { content: 'x"\\' } };
    const start = encodeRecord({ v: 1, seq: 2, at: '', event: { ...call, readOnly: false } });
    const [first, second] = outlinedLines(diskWith([moved, start]), FILE);
    expect(first?.left).toEqual({ start: 0, bytes: moved.length - 1 });
    const { kind, toolCallId, toolName } = call;
    expect([first?.record?.event, second?.record?.event]).toEqual([
      { kind: 'TOOL_CALL_END', toolCallId: 'c1', toolName: 'shell', isError: false, workingDir: 'packages/agent' },
      { kind, toolCallId, toolName, args: {} },
    ]);
  });

  it('tells a start from all other records, whatever it holds, and finds one that is damaged', () => {
    fc.assert(
      fc.property(fc.record({ toolCallId: text, toolName: text, args: fc.dictionary(text, text) }), (call) => {
        const line = encodeRecord({ v: 1, seq: 3, at: '', event: { kind: 'TOOL_CALL_START', ...call } });
        const { toolCallId, toolName } = call;
        const [read, ...others] = outlinedLines(diskWith([line]), FILE);
        expect(read?.record).toMatchObject({ seq: 3, event: { kind: 'TOOL_CALL_START', toolCallId, toolName } });
        expect(others).toEqual([]);
        const bytes = Buffer.from(line);
        bytes[bytes.length - 25] = (bytes[bytes.length - 25] ?? 0) ^ 1;
        expect([...outlinedLines(diskWith(bytes), FILE)].map(({ record }) => record)).toEqual([null]);
      }),
      { numRuns: runs(40, 5_000) },
    );
  });

  it('of a long line with any bit flipped has no changed record', () => {
    const line = Buffer.from(endWith(7, { toolName: 'shell', output: 'é "x",\n'.repeat(300), isError: false }));
    const [truth] = outlinedLines(diskWith(Buffer.from(line)), FILE);
    const [whole] = readRecords(FILE, { disk: diskWith(Buffer.from(line)) });
    expect(truth?.left).toEqual({ start: 0, bytes: line.length - 1 });
    for (let bit = 0; bit < line.length * 8; bit += 7) {
      const damaged = Buffer.from(line);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      for (const { record } of outlinedLines(diskWith(damaged), FILE)) {
        if (record !== null) expect([truth?.record, whole]).toContainEqual(record);
      }
    }
  });

  it('reads an output when it is looked at, from the line or from beside it, and says so when it is lost then', () => {
    const { disk, opened } = counted(createMemoryDisk());
    const events = eventsOf('ses_1', [{ text: 'go', rounds: [[4_000], [40_000], [80]] }]);
    const journal = openJournal(FILE, { disk });
    for (const one of events) journal.append(one);
    journal.sync();
    const whole = replay(journal.records(), {}).view;
    opened.length = 0;
    const first = replay(journal.outline?.() ?? [], {}).view;
    expect(opened.filter((path) => path.includes('blobs'))).toEqual([]);
    expect(first.turns).toEqual(whole.turns);
    expect(opened.filter((path) => path.includes('blobs'))).toHaveLength(1);
    expect(JSON.stringify(first.turns)).toBe(JSON.stringify(whole.turns));
    expect(opened.filter((path) => path.includes('blobs'))).toHaveLength(1);

    const second = replay(journal.outline?.() ?? [], {}).view;
    const blob = disk.list('/home/session/blobs')[0] ?? '';
    disk.remove(`/home/session/blobs/${blob}`);
    const lost = second.turns.flatMap((turn) => (turn.kind === 'tool_results' ? turn.results : []));
    expect(lost.map(({ output }) => output.includes('were lost'))).toEqual([false, true, false]);
    expect(journal.damaged).toEqual([]);
    replay(journal.outline?.() ?? [], {});
    expect(journal.damaged).toHaveLength(1);
    journal.close();
  });

  it('reports damage, and passes over what was rewound', () => {
    const lines = [1, 2, 3].map((seq) => endWith(seq, { toolName: 't', output: 'y'.repeat(3_000) }));
    const rewound = encodeRecord({ v: 1, seq: 4, at: '', event: { kind: 'REWOUND', toSeq: 2 } });
    const disk = diskWith([lines[0] ?? '', (lines[1] ?? '').replace('yyy', 'yny'), lines[2] ?? '', rewound]);
    const damaged: DamagedRecord[] = [];
    const outline = outlineRecords(FILE, { disk, onRead: (all) => void damaged.push(...all) });
    expect([...outline].map((record) => record?.seq ?? 'anew')).toEqual([1, 3, 'anew', 1, 4]);
    expect(damaged).toMatchObject([{ line: 2 }]);
  });
});

it('a record with the checksum of older journals is read, and a changed one is not', () => {
  const older =
    '{"v":1,"seq":3,"at":"2026-01-01T00:00:00.000Z","event":{"kind":"USER_INPUT","content":"ça va 🎉"},"sum":"145d3dc1"}\n';
  expect([...readRecords(FILE, { disk: diskWith([older]) })].map(({ seq }) => seq)).toEqual([3]);
  expect([...readRecords(FILE, { disk: diskWith([older.replace('va', 'vb')]) })]).toEqual([]);
});

it('an output that is read late is read once, and a copy has it like any other property', () => {
  let reads = 0;
  const holder = { id: 1 };
  defineOutputOnce(holder, () => `read ${++reads}`);
  expect([Object.keys(holder), lateOutputOf(holder) === null, reads]).toEqual([['id', 'output'], false, 0]);
  const copy = { ...holder };
  expect([copy, holder, lateOutputOf(copy), lateOutputOf(holder)]).toStrictEqual([
    { id: 1, output: 'read 1' },
    { id: 1, output: 'read 1' },
    null,
    null,
  ]);
});

/** The disk, and what was opened on it. */
function counted(disk: MemoryDisk): { readonly disk: Disk; readonly opened: string[] } {
  const opened: string[] = [];
  const open: Disk['open'] = (path, ...rest) => {
    opened.push(path);
    return disk.open(path, ...rest);
  };
  return { disk: { ...disk, open }, opened };
}
