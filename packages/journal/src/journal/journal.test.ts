import { appendFileSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import type { DeliveredEvent } from '../events/event.ts';
import { openJournal } from './file-journal.ts';
import { createMemoryJournal } from './memory-journal.ts';
import { readJournal } from './read-journal.ts';
import { encodeRecord } from './record.ts';

const event = (seq: number, content = `input ${seq}`): DeliveredEvent => ({
  kind: 'USER_INPUT',
  content,
  seq,
  at: '2026-01-01T00:00:00.000Z',
  sessionId: 'ses_1',
});

const place = (): string => path.join(makeFolder(), 'deep', 'session.jsonl');

const write = (file: string, count: number, from = 1): void => {
  const journal = openJournal(file);
  for (let seq = from; seq < from + count; seq++) journal.append(event(seq));
  journal.close();
};

describe.each([
  ['a file journal', () => openJournal(place())],
  ['a memory journal', () => createMemoryJournal()],
])('%s', (_, open) => {
  it('gives back what was appended, after a seq when asked', () => {
    const journal = open();
    for (const seq of [1, 2, 3]) journal.append(event(seq));
    journal.sync();
    expect(journal.read().map((record) => record.seq)).toEqual([1, 2, 3]);
    expect(journal.read(2)).toEqual([
      { v: 1, seq: 3, at: '2026-01-01T00:00:00.000Z', event: { kind: 'USER_INPUT', content: 'input 3' } },
    ]);
    journal.close();
    journal.close();
  });

  it('keeps large values, every character and what an error said', () => {
    const journal = open();
    const content = `${'x'.repeat(3_000_000)}\n\r\u2028\u0000"\\é🎉`;
    journal.append(event(1, content));
    journal.append({
      kind: 'ERROR',
      error: Object.assign(new TypeError('no'), { code: 'E' }),
      seq: 2,
      at: '',
      sessionId: 's',
    });
    expect(journal.read()[0]?.event).toEqual({ kind: 'USER_INPUT', content });
    expect(journal.read()[1]?.event).toEqual({ kind: 'ERROR', error: { name: 'TypeError', message: 'no', code: 'E' } });
    journal.close();
  });
});

describe('the file', () => {
  it('is private, and so is its folder', () => {
    const file = place();
    write(file, 1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(path.dirname(file))).toEqual(['session.jsonl']);
  });

  it('reports damage in the middle, at the end and twice the same, and keeps the rest', () => {
    const file = place();
    write(file, 3);
    const lines = readFileSync(file, 'utf8').split('\n');
    const flipped = lines[1]?.replace('input 2', 'input 7');
    writeFileSync(file, [lines[0], flipped, 'garbage', '', lines[2], lines[2], '\0\0\0'].join('\n'));
    const { records, damaged } = readJournal(file);
    expect(records.map((record) => record.seq)).toEqual([1, 3]);
    expect(damaged.map((one) => one.line)).toEqual([2, 3, 7]);
    const journal = openJournal(file);
    expect(journal.damaged).toHaveLength(3);
    journal.close();
  });

  it('passes records of kinds it does not know on, unchanged', () => {
    const file = place();
    write(file, 1);
    const future = { v: 2, seq: 5, at: 'x', event: { kind: 'FUTURE', deep: [1] } };
    appendFileSync(file, encodeRecord(future));
    expect(readJournal(file).records[1]).toMatchObject({ v: 2, event: { kind: 'FUTURE', deep: [1] } });
  });

  it('of nobody is empty', () => {
    expect(readJournal('/nowhere/at/all.jsonl')).toEqual({ records: [], damaged: [] });
  });
});

describe('the writer', () => {
  it('is one: a second is refused and told who, until the first closes', () => {
    const file = place();
    const first = openJournal(file);
    expect(() => openJournal(file)).toThrow(
      expect.objectContaining({
        name: 'JournalError',
        code: 'locked',
        message: expect.stringContaining(String(process.pid)),
      }),
    );
    first.close();
    expect(() => first.append(event(1))).toThrow('closed');
    openJournal(file).close();
  });

  it('is followed at once when its process died, or its id was given to another', () => {
    const file = place();
    write(file, 1);
    for (const owner of [
      { pid: 999_999_999, started: '1', token: 'a' },
      { pid: process.pid, started: '1', token: 'b' },
      { pid: 1, started: 'long ago', token: 'c' },
    ]) {
      writeFileSync(`${file}.lock`, JSON.stringify(owner));
      write(file, 1, 2);
    }
    writeFileSync(`${file}.lock`, '');
    openJournal(file).close();
    expect(readdirSync(path.dirname(file))).toEqual(['session.jsonl']);
  });

  it('says what to do when the place can not be written', () => {
    const folder = makeFolder({ file: '' });
    expect(() => openJournal(path.join(folder, 'file', 'session.jsonl'))).toThrow(
      expect.objectContaining({ name: 'JournalError' }),
    );
  });

  it('reads a journal that shrank under it without failing', () => {
    const file = place();
    const journal = openJournal(file);
    journal.append(event(1));
    truncateSync(file, 0);
    expect(journal.read()).toEqual([]);
    journal.close();
  });
});
